/** Renders markdown from a model: no raw HTML, no images, links only to https and only through the host's question. */
import { type ComponentProps, isValidElement, type JSX, type ReactNode } from "react";
import { type Components, defaultRehypePlugins, Streamdown, useIsCodeFenceIncomplete } from "streamdown";
import type { CodeToken } from "../../../ui/highlight.ts";
import { openLink } from "../../../ui/open-link.ts";
import { showTurns } from "../../../ui/shown-turns.tsx";
import { useCodeTokens } from "../../../ui/use-code-tokens.ts";
import { CopyButton } from "../copy-button.tsx";
import { strings } from "../strings.ts";

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
    return <Tag>{showTurns(children)}</Tag>;
  };
}

/** With a type of its own: inferred as one of `Components`, it takes the compiler ten seconds. */
const plainElements: Record<string, ReturnType<typeof plainElement>> = Object.fromEntries(
  plainTags.map((tag) => [tag, plainElement(tag)]),
);

const components: Components = {
  ...plainElements,
  hr: () => <hr />,
  li: ({ children, className }: With<"li">) => <li className={className}>{showTurns(children)}</li>,
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
      {showTurns(children)}
    </a>
  ),
  img: ({ alt }: With<"img">) => <span>{showTurns(alt ? `[${alt}]` : "")}</span>,
  pre: ({ children }: With<"pre">) => <CodeBlock code={codeIn(children)} language={languageOf(children)} />,
  code: ({ children, className }: With<"code">) => <code className={className}>{showTurns(children)}</code>,
  inlineCode: ({ children }: With<"code">) => <code>{showTurns(children)}</code>,
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

/** A code block of a message: its language, a copy button, and colours once the block is complete. */
function CodeBlock({ code, language }: { code: string; language: string }) {
  const incomplete = useIsCodeFenceIncomplete();
  const tokens = useCodeTokens(code, language, !incomplete);
  return (
    <div className="code-block group/code relative">
      <div className="flex h-7 items-center justify-between rounded-t-md border border-b-0 border-line bg-sunken pr-1 pl-3 font-mono text-xs text-ink-3">
        {language ? showTurns(language) : strings.plainText}
        <CopyButton label={strings.copyCode} text={() => code} className="size-6!" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: code scrolls sideways and must be reachable by keyboard */}
      <pre tabIndex={0} className="mt-0! rounded-t-none!">
        <code>{tokens ? <Coloured tokens={tokens} /> : showTurns(code)}</code>
      </pre>
    </div>
  );
}

function Coloured({ tokens }: { tokens: readonly CodeToken[][] }) {
  return tokens.map((line, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line of code has no other identity than its place
    <span key={row}>
      {line.map((token, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a token has no other identity than its place
        <span key={index} style={token.color ? { color: token.color } : undefined}>
          {showTurns(token.text)}
        </span>
      ))}
      {row < tokens.length - 1 && "\n"}
    </span>
  ));
}
