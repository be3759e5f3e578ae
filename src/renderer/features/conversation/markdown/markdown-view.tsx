/** Renders markdown from a model: no raw HTML, no images, links only to https and only through the host's question. */
import { type ComponentProps, isValidElement, type JSX, type ReactNode } from "react";
import { type Components, defaultRehypePlugins, Streamdown } from "streamdown";
import { openLink } from "../../../ui/open-link.ts";
import { strings } from "../strings.ts";
import { CodeBlock } from "./code-block.tsx";

// Without `raw`, HTML in the text never becomes elements; `harden` drops addresses that are not allowed.
const { raw: _raw, ...safePlugins } = defaultRehypePlugins;
const rehypePlugins = Object.values(safePlugins);

type With<T extends keyof JSX.IntrinsicElements> = ComponentProps<T> & { node?: unknown };

/** Elements that get the text and nothing of the markdown renderer's own classes. */
const plainTags = [
  ...(["p", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "strong", "em"] as const),
  ...(["thead", "tbody", "tr", "th", "td"] as const),
];

function plainElement(Tag: (typeof plainTags)[number]) {
  return function Plain({ children }: { children?: ReactNode }) {
    return <Tag>{children}</Tag>;
  };
}

/** With a type of its own: inferred as one of `Components`, it takes the compiler ten seconds. */
const plainElements: Record<string, ReturnType<typeof plainElement>> = Object.fromEntries(
  plainTags.map((tag) => [tag, plainElement(tag)]),
);

const components: Components = {
  ...plainElements,
  hr: () => <hr />,
  li: ({ children, className }: With<"li">) => <li className={className}>{children}</li>,
  table: ({ children }: With<"table">) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls sideways and must be reachable by keyboard
    <figure tabIndex={0} aria-label={strings.table} className="overflow-x-auto">
      <table>{children}</table>
    </figure>
  ),
  a: ({ href, children }: With<"a">) => (
    <a
      href={href}
      rel="noreferrer"
      onClick={(event) => {
        event.preventDefault();
        if (href) void openLink(href);
      }}
    >
      {children}
    </a>
  ),
  img: ({ alt }: With<"img">) => <span>{alt ? `[${alt}]` : ""}</span>,
  pre: ({ children }: With<"pre">) => <CodeBlock code={codeIn(children)} language={languageOf(children)} />,
  code: ({ children, className }: With<"code">) => <code className={className}>{children}</code>,
  inlineCode: ({ children }: With<"code">) => <code>{children}</code>,
};

export default function MarkdownView({ text, streaming }: { text: string; streaming: boolean }) {
  return (
    <Streamdown
      className="markdown [&>:first-child>:first-child]:mt-0!"
      mode="streaming"
      isAnimating={streaming}
      parseIncompleteMarkdown={streaming}
      rehypePlugins={rehypePlugins}
      components={components}
      controls={false}
      linkSafety={{ enabled: false }}
    >
      {text}
    </Streamdown>
  );
}

function codeIn(children: ReactNode): string {
  if (typeof children === "string") return children.replace(/\n$/, "");
  if (Array.isArray(children)) return children.map(codeIn).join("");
  return isValidElement<{ children?: ReactNode }>(children) ? codeIn(children.props.children) : "";
}

function languageOf(children: ReactNode): string {
  if (!isValidElement<{ className?: string }>(children)) return "";
  return /language-([^\s]+)/.exec(children.props.className ?? "")?.[1] ?? "";
}
