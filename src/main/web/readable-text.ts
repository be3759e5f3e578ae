/** Turns a web page into the text a person would read, as light markdown, with links made absolute. */
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";

/** The little of a DOM node that is read here. */
type PageNode = {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<PageNode>;
  getAttribute?(name: string): string | null;
};

const textNode = 3;
const elementNode = 1;
/** Deeper nesting than any page a person reads; beyond it only text is taken, so that no page can exhaust the stack. */
const maxDepth = 200;

const skipped = new Set("SCRIPT STYLE NOSCRIPT TEMPLATE SVG IFRAME HEAD NAV BUTTON FORM".split(" "));
const blocks = new Set(
  "ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY DD DIV DL DT FIGCAPTION FIGURE FOOTER HEADER HR HTML LI MAIN OL P PRE SECTION TABLE TR UL H1 H2 H3 H4 H5 H6".split(
    " ",
  ),
);

type Writer = {
  readonly base: string;
  readonly depth: number;
};

function childrenOf(node: PageNode, writer: Writer): string {
  let text = "";
  for (const child of node.childNodes) text += write(child, { ...writer, depth: writer.depth + 1 });
  return text;
}

function writeLink(node: PageNode, inner: string, base: string): string {
  const href = node.getAttribute?.("href") ?? "";
  const label = inner.replace(/\s+/g, " ").trim();
  if (label === "" || href === "" || href.startsWith("#") || !URL.canParse(href, base)) return inner;
  const url = new URL(href, base);
  return /^https?:$/.test(url.protocol) ? `[${label}](${url.href})` : inner;
}

function writeBlock(name: string, inner: string): string {
  const text = inner.replace(/^\s+|\s+$/g, "");
  if (name === "HR") return "\n\n---\n\n";
  if (text === "") return "\n";
  const heading = /^H([1-6])$/.exec(name)?.[1];
  if (heading) return `\n\n${"#".repeat(Number(heading))} ${text.replace(/\s+/g, " ")}\n\n`;
  if (name === "LI") return `\n- ${text.replace(/\n{2,}/g, "\n").replaceAll("\n", "\n  ")}`;
  if (name === "TR") return `\n${text.replace(/\s*\|\s*$/, "")}`;
  if (name === "BLOCKQUOTE") return `\n\n> ${text.replaceAll("\n", "\n> ")}\n\n`;
  return `\n\n${text}\n\n`;
}

function writeElement(node: PageNode, writer: Writer): string {
  const name = node.nodeName.toUpperCase();
  if (skipped.has(name)) return "";
  if (name === "BR") return "\n";
  if (name === "PRE") return `\n\n\`\`\`\n${(node.textContent ?? "").replace(/^\n+|\s+$/g, "")}\n\`\`\`\n\n`;
  if (name === "CODE") return `\`${node.textContent ?? ""}\``;
  const inner = childrenOf(node, writer);
  if (name === "A") return writeLink(node, inner, writer.base);
  if (name === "TD" || name === "TH") return `${inner.replace(/\s+/g, " ").trim()} | `;
  return blocks.has(name) ? writeBlock(name, inner) : inner;
}

function write(node: PageNode, writer: Writer): string {
  if (node.nodeType === textNode) return (node.textContent ?? "").replace(/\s+/g, " ");
  if (node.nodeType !== elementNode) return "";
  if (writer.depth > maxDepth) return node.textContent ?? "";
  return writeElement(node, writer);
}

function tidy(text: string): string {
  const parts = text.split(/(```[\s\S]*?```)/);
  const tidied = parts.map((part, index) =>
    index % 2 === 1
      ? part
      : part
          .replace(/[ \t]+\n/g, "\n")
          .replace(/\n[ \t]+(?![- ])/g, "\n")
          .replace(/\n{3,}/g, "\n\n"),
  );
  return tidied.join("").trim();
}

/** The main article when the page has one, else everything on it. */
function articleOf(html: string): { node: PageNode; title: string } {
  const { document } = parseHTML(html);
  const article = new Readability<PageNode>(document, { serializer: (node: PageNode) => node }).parse();
  const fallback = parseHTML(html).document;
  const title = (article?.title || fallback.title || "").trim();
  if (article?.content && (article.textContent ?? "").trim() !== "") return { node: article.content, title };
  return { node: fallback.documentElement, title };
}

/**
 * The readable text of a page.
 * @param base the page's own address, for its relative links
 */
export function readHtml(html: string, base: string): { title: string; text: string } {
  const whole = /<html[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`;
  const { node, title } = articleOf(whole);
  return { title, text: tidy(write(node, { base, depth: 0 })) };
}
