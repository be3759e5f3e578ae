/** The second reader of bash, written by others: tree-sitter's grammar as WebAssembly, loaded once with this file. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Language, type Node, Parser } from "web-tree-sitter";
import { nameMark, patternMark } from "./plain-list.ts";

/** A built host has the two files beside its chunks, a checkout in its packages. */
function readWasm(file: string, specifier: string): Buffer<ArrayBuffer> {
  const beside = join(import.meta.dirname, file);
  return readFileSync(existsSync(beside) ? beside : createRequire(import.meta.url).resolve(specifier));
}

// V8 would compile what is used often a second time, to be faster. Of this grammar that takes half a gigabyte for a moment,
// and no parsing is faster for it (bench/README.md, memory). On a command line the first flag would imply the others.
setFlagsFromString("--liftoff-only --no-wasm-tier-up --no-wasm-dynamic-tiering");
await Parser.init({ wasmBinary: readWasm("web-tree-sitter.wasm", "web-tree-sitter/web-tree-sitter.wasm") });
const parser = new Parser();
const grammar = readWasm("tree-sitter-bash.wasm", "tree-sitter-bash/tree-sitter-bash.wasm");
parser.setLanguage(await Language.load(grammar));
// V8 has a copy of its own by now, and would not look for a while whether this one is needed.
grammar.buffer.transfer(0);

/** Nodes that only hold others; what they mean is in the words and joints below them. */
const holders = new Set([
  "program",
  "list",
  "pipeline",
  "redirected_statement",
  "command_name",
  "subshell",
  "compound_statement",
  "for_statement",
  "do_group",
  "if_statement",
  "elif_clause",
  "else_clause",
  "negated_command",
  "unary_expression",
  "binary_expression",
  "variable_assignments",
  "file_redirect",
  "heredoc_redirect",
]);
const words = new Set([
  "word",
  "number",
  "raw_string",
  "string",
  "concatenation",
  "simple_expansion",
  "expansion",
  "extglob_pattern",
  "test_operator",
]);
const keywords = /^(?:if|then|elif|else|fi|for|in|do|done)$/;
const joints = /^(?:&&|\|\||\|&?|&|[(){}]|!)$/;
const openings = /^(?:>>?|>&|>\||<&?|&>>?|<<)$/;

/** Thrown where the tree holds something that a plain command never does. */
class Unlisted extends Error {}

function unquoted(text: string): string {
  if (text === "[" || text === "]") return text;
  const home = text.replace(/^~(?=\/|$)/, `${nameMark}~${nameMark}`);
  return home.replace(
    /\\([\s\S])|[*?[]/g,
    (match, escaped: string | undefined) => escaped ?? patternMark + match,
  );
}

function named(text: string): string {
  return nameMark + text.replace(/^\$\{?|\}$/g, "") + nameMark;
}

function quoted(node: Node): string {
  const odd = node.namedChildren.some(
    (child) => !["string_content", "simple_expansion", "expansion"].includes(child?.type ?? ""),
  );
  if (odd) throw new Unlisted();
  let text = "";
  let at = node.startIndex + 1;
  const source = node.text;
  const plain = (to: number) =>
    source.slice(at - node.startIndex, to - node.startIndex).replace(/\\([$`"\\])/g, "$1");
  for (const child of node.namedChildren) {
    if (child === null || child.type === "string_content") continue;
    text += plain(child.startIndex) + readWord(child);
    at = child.endIndex;
  }
  return text + plain(node.endIndex - 1);
}

function readWord(node: Node): string {
  switch (node.type) {
    case "word":
    case "number":
    case "test_operator":
    case "extglob_pattern":
      return node.childCount === 0 ? unquoted(node.text) : fail();
    case "raw_string":
      return node.text.slice(1, -1);
    case "string":
      return quoted(node);
    case "simple_expansion":
    case "expansion":
      return named(node.text);
    case "concatenation":
      return joinPieces(node);
    default:
      return fail();
  }
}

/** The pieces of one word. A `[` begins a pattern, and a brace stands for itself, unless it is the whole word. */
function joinPieces(node: Node): string {
  return node.children
    .map((child) => {
      if (child === null) return fail();
      return child.text === "[" ? `${patternMark}[` : readWord(child);
    })
    .join("");
}

function fail(): never {
  throw new Unlisted();
}

type List = { lines: string[]; heres: string[] };

function listAssignment(node: Node, list: List, inCommand: boolean): void {
  const [name, equals, value, ...more] = node.children;
  if (name?.type !== "variable_name" || equals?.type !== "=" || more.length > 0) fail();
  if (!inCommand) list.lines.push("command");
  const text = value == null ? "" : readWord(value);
  list.lines.push(`set ${name.text}=${text}`);
}

function listChildren(node: Node, list: List): void {
  const begins = node.type === "command" || node.type === "test_command";
  if (begins) list.lines.push("command");
  let descriptor = "";
  let sets = 0;
  for (const child of node.children) {
    if (child === null) fail();
    if (child.type === "file_descriptor") descriptor = child.text;
    else if (openings.test(child.type)) {
      list.lines.push(`open ${descriptor}${child.type}`);
      descriptor = "";
    } else if (child.type === "variable_assignment") {
      listAssignment(
        child,
        list,
        node.type === "command" || (node.type === "variable_assignments" && sets > 0),
      );
      sets += 1;
    } else listNode(child, node, list);
  }
}

function listNode(node: Node, parent: Node, list: List): void {
  const { type } = node;
  const inTest = /^(?:test_command|unary_expression|binary_expression)$/.test(parent.type);
  if (words.has(type)) list.lines.push(`word ${readWord(node)}`);
  else if (holders.has(type) || type === "command" || type === "test_command") listChildren(node, list);
  else if (
    type === "comment" ||
    type === ";" ||
    type === "\n" ||
    type === "heredoc_start" ||
    type === "heredoc_end"
  )
    return;
  else if (type === "heredoc_body") list.heres.push(`here ${node.text.trimStart()}`);
  else if (type === "variable_name" && parent.type === "for_statement") list.lines.push(`joint ${node.text}`);
  else if (inTest && !node.isNamed) list.lines.push(`word ${type}`);
  else if (!node.isNamed && keywords.test(type)) list.lines.push(`joint ${type}`);
  else if (!node.isNamed && joints.test(type)) list.lines.push(type);
  else fail();
}

/** `time` is a word of the shell's own, which tree-sitter takes for a program. */
function liftTime(lines: readonly string[]): string[] {
  const lifted: string[] = [];
  for (const line of lines) {
    if (line === "word time" && lifted.at(-1) === "command") lifted.splice(-1, 1, "joint time", "command");
    else lifted.push(line);
  }
  return lifted;
}

/**
 * Lists the commands of a text in the form of `listScript`, as tree-sitter reads it.
 *
 * @returns undefined when it finds an error, or anything that is no plain command
 */
export function listByTreeSitter(text: string): string[] | undefined {
  const tree = parser.parse(text);
  if (tree === null) return undefined;
  try {
    if (tree.rootNode.hasError) return undefined;
    const list: List = { lines: [], heres: [] };
    listChildren(tree.rootNode, list);
    return [...liftTime(list.lines), ...list.heres];
  } catch (error) {
    if (error instanceof Unlisted) return undefined;
    throw error;
  } finally {
    tree.delete();
  }
}
