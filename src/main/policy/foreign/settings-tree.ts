/** Reads settings of another program, which anybody may have written: bounded in size and depth, no name given twice. */
import { createScanner, type Node, type ParseError, parseTree } from "jsonc-parser";

const deepest = 16;

/** @returns the root, or why the text is not read. */
export function readSettingsTree(text: string): Node | { problem: string } {
  if (isTooDeep(text)) return { problem: "The file is nested too deeply." };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || root?.type !== "object") return { problem: "The file is no valid JSON object." };
  return root;
}

/** Counted before anything is read, since the reader calls itself at each level. */
function isTooDeep(text: string): boolean {
  const scanner = createScanner(text, true);
  let depth = 0;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const mark = scanner.getTokenLength() === 1 ? text[scanner.getTokenOffset()] : undefined;
    if (mark === "{" || mark === "[") depth += 1;
    if (mark === "}" || mark === "]") depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}

/** @returns the members by their names, or the name that stands twice: programs do not agree which of the two counts. */
export function membersOf(node: Node): Map<string, Node> | { problem: string } {
  const members = new Map<string, Node>();
  for (const { children } of node.children ?? []) {
    const [name, value] = children ?? [];
    if (name === undefined || value === undefined) continue;
    const key = String(name.value);
    if (members.has(key)) return { problem: `${JSON.stringify(key)} stands in the file twice.` };
    members.set(key, value);
  }
  return members;
}
