/** Lists a script as the policy's own parser read it, in the form in which independent readers are compared. */
import type {
  Command,
  CommandNode,
  CompoundList,
  If,
  ParsedScript,
  PipelineNode,
  Redirection,
  Statement,
  TestExpression,
  Word,
  WordPart,
} from "unbash";
import { nameMark, patternMark } from "./plain-list.ts";

/** Thrown where the tree holds something that a plain command never does. */
class Unlisted extends Error {}

type List = { lines: string[]; heres: string[] };

function fail(): never {
  throw new Unlisted();
}

function readPart(part: WordPart): string {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
      return part.value;
    case "Glob":
      return patternMark + part.text;
    case "DoubleQuoted":
      return part.parts.map(readPart).join("");
    case "SimpleExpansion":
      return nameMark + part.text.slice(1) + nameMark;
    case "ParameterExpansion":
      return part.operation || part.prefix || part.index ? fail() : nameMark + part.parameter + nameMark;
    default:
      return fail();
  }
}

function readWord(word: Word): string {
  const text = word.parts === undefined ? word.value : word.parts.map(readPart).join("");
  return /^~(?:\/|$)/.test(word.text) ? text.replace(/^~/, `${nameMark}~${nameMark}`) : text;
}

function listRedirect(item: Redirection, list: List): void {
  if (item.descriptor?.type === "FileDescriptorVariable" || item.type === "HereString") fail();
  list.lines.push(`open ${item.descriptor?.value ?? ""}${item.operator}`);
  if (item.type === "HereDoc") {
    if (item.delimiter?.quoted !== true || item.closing === undefined) fail();
    list.heres.push(`here ${item.body.text.trimStart()}`);
  } else list.lines.push(`word ${readWord(item.target ?? fail())}`);
}

function listCommand(node: Command, list: List): void {
  const named = node.name === undefined ? [] : [node.name];
  if (node.prefix.some((item) => item.type === "Assignment") || named.length > 0) list.lines.push("command");
  for (const item of [...node.prefix, ...named, ...node.suffix]) {
    if (item.type === "Word") list.lines.push(`word ${readWord(item)}`);
    else if (item.type === "Assignment") {
      if (item.append || item.index || item.value.type !== "Word") fail();
      // Behind the name an assignment is a word like any other.
      const word = node.suffix.includes(item) ? "word " : "set ";
      list.lines.push(`${word}${item.name}=${readWord(item.value)}`);
    } else listRedirect(item, list);
  }
}

function listTest(expression: TestExpression, list: List): void {
  switch (expression.type) {
    case "TestUnary":
      list.lines.push(`word ${expression.operator}`, `word ${readWord(expression.operand)}`);
      return;
    case "TestBinary":
      list.lines.push(`word ${readWord(expression.left)}`, `word ${expression.operator}`);
      list.lines.push(`word ${readWord(expression.right)}`);
      return;
    case "TestNot":
      for (const _ of expression.negations) list.lines.push("word !");
      listTest(expression.operand, list);
      return;
    default:
      fail();
  }
}

function listIf(node: If, list: List): void {
  [node, ...node.elif].forEach((branch, at) => {
    list.lines.push(at === 0 ? "joint if" : "joint elif");
    listStatements(branch.clause, list);
    list.lines.push("joint then");
    listStatements(branch.then, list);
  });
  if (node.else !== undefined) {
    list.lines.push("joint else");
    listStatements(node.else, list);
  }
  list.lines.push("joint fi");
}

function listNode(node: CommandNode, list: List): void {
  const group = (open: string, body: CompoundList, close: string) => {
    list.lines.push(open);
    listStatements(body, list);
    list.lines.push(close);
  };
  switch (node.type) {
    case "Command":
      listCommand(node, list);
      return;
    case "Subshell":
      group("(", node.body, ")");
      return;
    case "BraceGroup":
      group("{", node.body, "}");
      return;
    case "If":
      listIf(node, list);
      return;
    case "For":
      list.lines.push("joint for", `joint ${node.name.text}`, "joint in");
      for (const word of node.wordlist ?? fail()) list.lines.push(`word ${readWord(word)}`);
      group("joint do", node.body, "joint done");
      return;
    case "TestCommand":
      list.lines.push("command", "word [[");
      listTest(node.expression, list);
      list.lines.push("word ]]");
      return;
    case "Redirected":
      listNode(node.command, list);
      for (const item of node.redirects) listRedirect(item, list);
      return;
    default:
      fail();
  }
}

function listPipeline(node: PipelineNode, list: List): void {
  if (node.type !== "Pipeline") {
    listNode(node, list);
    return;
  }
  for (const prefix of node.prefixes) {
    if (prefix.type === "Time" && (prefix.posix || prefix.endOfOptions)) fail();
    list.lines.push(prefix.type === "Time" ? "joint time" : "!");
  }
  node.commands.forEach((command, at) => {
    if (at > 0) list.lines.push(node.operators[at - 1]!);
    listNode(command, list);
  });
}

function listStatement({ command, background }: Statement, list: List): void {
  if (command.type === "AndOr") {
    command.commands.forEach((each, at) => {
      if (at > 0) list.lines.push(command.operators[at - 1]!);
      listPipeline(each, list);
    });
  } else listPipeline(command, list);
  if (background) list.lines.push("&");
}

function listStatements(body: { commands: readonly Statement[] }, list: List): void {
  for (const statement of body.commands) listStatement(statement, list);
}

/**
 * Lists the commands of a parsed text in the form of `listScript`.
 *
 * @returns undefined when it holds anything that is no plain command
 */
export function listByUnbash(script: ParsedScript): string[] | undefined {
  const list: List = { lines: [], heres: [] };
  try {
    if ((script.errors ?? []).length > 0) return undefined;
    listStatements(script, list);
    return [...list.lines, ...list.heres];
  } catch (error) {
    if (error instanceof Unlisted) return undefined;
    throw error;
  }
}
