/** Changes a JSON file that a person may have commented: whatever stays the same keeps its place, its form and its comments. */
import { applyEdits, type Edit, getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";

/**
 * Writes the value into the text with the fewest changes. The comments above an entry and behind it go when it goes.
 *
 * @param text JSON with comments and trailing commas; what cannot be read as that is written anew.
 * @param value anything JSON can hold; `undefined` fields are left out.
 * @returns text that reads back as the value.
 */
export function keepComments(text: string, value: unknown): string {
  const wanted: unknown = JSON.parse(JSON.stringify(value));
  for (let current = text; ; ) {
    const errors: ParseError[] = [];
    const root = parseTree(current, errors, { allowTrailingComma: true });
    if (!root || errors.length > 0) return `${JSON.stringify(wanted, null, 2)}\n`;
    const edits = nextChange(current, root, wanted);
    if (!edits) return current;
    current = applyEdits(current, edits);
  }
}

/** The first difference as edits, or nothing when the node has this value. One at a time: each moves what follows it. */
function nextChange(text: string, node: Node, wanted: unknown): Edit[] | undefined {
  if (node.type === "object" && isRecord(wanted)) return changeObject(text, node, wanted);
  if (node.type === "array" && Array.isArray(wanted)) return changeArray(text, node, wanted);
  const nested = node.type === "object" || node.type === "array";
  if (!nested && getNodeValue(node) === wanted) return undefined;
  return [
    { offset: node.offset, length: node.length, content: write(text, wanted, indentAt(text, node.offset)) },
  ];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function changeObject(text: string, node: Node, wanted: Record<string, unknown>): Edit[] | undefined {
  const properties = node.children ?? [];
  const names = properties.map((property) => String(property.children?.[0]?.value));
  for (const [index, property] of properties.entries()) {
    const name = names[index] ?? "";
    // Of a field that stands there twice, the last one counts.
    if (!Object.hasOwn(wanted, name) || names.lastIndexOf(name) > index)
      return removeChild(text, node, index);
    const value = property.children?.[1];
    const change = value && nextChange(text, value, wanted[name]);
    if (change) return change;
  }
  const missing = Object.keys(wanted).find((name) => !names.includes(name));
  if (missing === undefined) return undefined;
  const content = (indent: string) => `${JSON.stringify(missing)}: ${write(text, wanted[missing], indent)}`;
  return insertChild(text, node, properties.length, content);
}

function changeArray(text: string, node: Node, wanted: unknown[]): Edit[] | undefined {
  const items = node.children ?? [];
  const same = (item: Node | undefined, value: unknown) => item && !nextChange(text, item, value);
  let from = 0;
  while (from < Math.min(items.length, wanted.length) && same(items[from], wanted[from])) from += 1;
  let kept = 0;
  const rest = () => Math.min(items.length, wanted.length) - from - kept;
  while (rest() > 0 && same(items.at(-1 - kept), wanted.at(-1 - kept))) kept += 1;
  const item = items.length - kept > from ? items[from] : undefined;
  if (wanted.length - kept <= from) return item && removeChild(text, node, from);
  if (item) return nextChange(text, item, wanted[from]);
  return insertChild(text, node, from, (indent) => write(text, wanted[from], indent));
}

/** What stands between two entries: whitespace, comments and the comma. */
type Gap = {
  commaAt: number | undefined;
  /** Where what belongs to the entry before ends: its comma and the comments on its line. */
  tail: number;
  /** Where what belongs to the entry behind begins: the comments above it, up to a blank line. */
  head: number;
};

function readGap(text: string, from: number, to: number): Gap {
  const gap: Gap = { commaAt: undefined, tail: from, head: from };
  let onLine = true;
  let blankLineAt: number | undefined;
  const pieces = /\s+|,|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//gy;
  for (pieces.lastIndex = from; pieces.lastIndex < to; ) {
    const offset = pieces.lastIndex;
    const piece = pieces.exec(text)?.[0];
    if (piece === undefined) break;
    const breaks = piece.split("\n").length - 1;
    if (piece === ",") {
      gap.commaAt = offset;
      gap.tail = offset + 1;
      onLine = true;
    } else if (
      piece.trim() !== "" &&
      onLine &&
      breaks === 0 &&
      /^[^\n]*\n/.test(text.slice(pieces.lastIndex, to))
    )
      gap.tail = pieces.lastIndex;
    else if (piece.trim() === "" && breaks > 1) blankLineAt = offset;
    if (breaks > 0) onLine = false;
  }
  gap.head = Math.max(gap.tail, blankLineAt ?? 0);
  return gap;
}

function gapBefore(text: string, parent: Node, index: number): Gap {
  const children = parent.children ?? [];
  const before = children[index - 1];
  const from = before ? before.offset + before.length : parent.offset + 1;
  return readGap(text, from, children[index]?.offset ?? parent.offset + parent.length - 1);
}

function removeChild(text: string, parent: Node, index: number): Edit[] {
  const count = parent.children?.length ?? 0;
  const before = gapBefore(text, parent, index);
  const after = gapBefore(text, parent, index + 1);
  const isFirst = index === 0;
  const oneLine = isOneLine(text, parent);
  // What follows on the same line must not slip behind a comment that ends the line above.
  const whole = oneLine || /^[ \t]*(\r?\n|$)/.test(text.slice(after.tail));
  const start = whole ? before.head : (parent.children?.[index]?.offset ?? before.head);
  const end = !whole || (isFirst && oneLine) ? skipSpaces(text, after.tail) : after.tail;
  const edits: Edit[] = [{ offset: start, length: end - start, content: "" }];
  // The last entry leaves; the one before it needs its comma no more.
  if (!isFirst && index === count - 1 && after.commaAt === undefined && before.commaAt !== undefined)
    edits.unshift({ offset: before.commaAt, length: 1, content: "" });
  return edits;
}

function insertChild(text: string, parent: Node, index: number, content: (indent: string) => string): Edit[] {
  const children = parent.children ?? [];
  const outer = indentAt(text, parent.offset);
  const gap = gapBefore(text, parent, index);
  const eol = eolOf(text);
  if (children.length === 0) {
    const end = parent.offset + parent.length - 1;
    const offset = end - (/\s*$/.exec(text.slice(parent.offset + 1, end))?.[0].length ?? 0);
    const added = `${eol}${outer}  ${content(`${outer}  `)}${eol}${outer}`;
    return [{ offset, length: end - offset, content: added }];
  }
  const isLast = index === children.length;
  const inner = isOneLine(text, parent) ? undefined : indentAt(text, children[0]?.offset ?? parent.offset);
  const space = inner === undefined ? " " : `${eol}${inner}`;
  const written = content(inner ?? outer);
  if (!isLast) {
    const glue = index === 0 && inner === undefined ? `${written}, ` : `${space}${written},`;
    return [{ offset: gap.tail, length: 0, content: glue }];
  }
  // Who ends lists with a comma gets one here too.
  const comma = gap.commaAt === undefined ? "" : ",";
  const edits: Edit[] = [{ offset: gap.tail, length: 0, content: space + written + comma }];
  if (!comma) {
    const last = children[index - 1];
    edits.unshift({ offset: last ? last.offset + last.length : gap.tail, length: 0, content: "," });
  }
  return edits;
}

function isOneLine(text: string, node: Node): boolean {
  return !text.slice(node.offset, node.offset + node.length).includes("\n");
}

function skipSpaces(text: string, offset: number): number {
  return offset + (/^[ \t]*/.exec(text.slice(offset))?.[0].length ?? 0);
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function write(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, 2).replaceAll("\n", `${eolOf(text)}${indent}`);
}
