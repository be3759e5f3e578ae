/** Takes the tags off a page in one pass, for pages that are too odd or too large to be read properly. */

const hidden = new Set(["script", "style", "noscript", "template", "svg"]);
const inline = new Set([
  "a",
  "b",
  "i",
  "em",
  "strong",
  "span",
  "code",
  "small",
  "sub",
  "sup",
  "u",
  "mark",
  "abbr",
]);
const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[name.toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Where the page goes on after the tag at `start`; the end of the page when it is never closed. */
function skipTag(html: string, start: number, name: string): number {
  const isComment = html.startsWith("<!--", start);
  const close = html.indexOf(isComment ? "-->" : ">", start);
  if (close === -1) return html.length;
  if (isComment) return close + 3;
  if (!hidden.has(name) || html.startsWith("</", start)) return close + 1;
  const end = html.indexOf(`</${name}`, close);
  return end === -1 ? html.length : end;
}

/** The text between the tags, in time proportional to its length; a new line wherever a block begins or ends. */
export function stripTags(html: string): string {
  const parts: string[] = [];
  // toLowerCase() can change the length of a text, and with it every position.
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  for (let at = 0; at < html.length; ) {
    const tag = html.indexOf("<", at);
    parts.push(html.slice(at, tag === -1 ? html.length : tag));
    if (tag === -1) break;
    if (!/[a-z/!?]/.test(lower[tag + 1] ?? "")) {
      parts.push("<");
      at = tag + 1;
      continue;
    }
    const name = /^<\/?([a-z][a-z0-9]*)/.exec(lower.slice(tag, tag + 20))?.[1] ?? "";
    if (!inline.has(name)) parts.push("\n");
    at = skipTag(lower, tag, name);
  }
  const lines = decodeEntities(parts.join("")).split("\n");
  return lines
    .map((line) => line.trim().replace(/\s+/g, " "))
    .filter((line) => line !== "")
    .join("\n");
}
