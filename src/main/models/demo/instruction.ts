/** The instruction lines the scripted demo model obeys: one table that parses them and writes the help. */
import { messageOf } from "../../../shared/message-of.ts";
import type { ToolName } from "../../../shared/tools/tools.ts";

/** What one line asks for. `todo` items of a paragraph are gathered into one call by the script. */
type Instruction =
  | { kind: "say"; text: string }
  | { kind: "todo"; content: string; status: TodoStatus }
  | { kind: "call"; tool: string; args: Record<string, unknown>; byName?: true }
  /** A line whose verb is known but whose rest makes no sense; `why` ends a sentence about it. */
  | { kind: "bad"; why: string };

export type TodoStatus = "pending" | "in_progress" | "completed";

type InstructionForm = {
  verb: string;
  usage: string;
  /** What follows the verb, already trimmed and not empty; undefined when it does not fit the usage. */
  parse: (rest: string) => Instruction | undefined;
};

const todoMarks: Record<string, TodoStatus> = {
  "[x]": "completed",
  "[>]": "in_progress",
  "[ ]": "pending",
};

/** How each tool is called; one without a line could not be tried without a key. */
const toolForms: Record<ToolName, InstructionForm> = {
  execute: { verb: "run", usage: "run <command>", parse: single("execute", "command") },
  read_file: { verb: "read", usage: "read <path>", parse: onPath("read_file", "file_path") },
  write_file: { verb: "write", usage: "write <path> <text>  (\\n starts a new line)", parse: parseWrite },
  edit_file: { verb: "edit", usage: "edit <path> <old> => <new>", parse: parseEdit },
  move_file: { verb: "move", usage: "move <path> <new path>", parse: parseMove },
  delete: { verb: "delete", usage: "delete <path>", parse: onPath("delete", "file_path") },
  ls: { verb: "ls", usage: "ls <path>", parse: onPath("ls", "path") },
  glob: { verb: "glob", usage: "glob <pattern>", parse: single("glob", "pattern") },
  grep: { verb: "grep", usage: "grep <text>", parse: single("grep", "pattern") },
  ask_human: { verb: "ask", usage: "ask <question>  (| in front of each answer to offer)", parse: parseAsk },
  write_todos: {
    verb: "todo",
    usage: "todo <text>  ([>] and [x] in front mark it started and done)",
    parse: parseTodo,
  },
  task: {
    verb: "delegate",
    usage: "delegate <agent>: <line> ; <line>  (;; starts its next turn)",
    parse: parseDelegate,
  },
  fetch_url: { verb: "fetch", usage: "fetch <url>", parse: single("fetch_url", "url") },
  web_search: { verb: "search", usage: "search <query>", parse: single("web_search", "query") },
};

const forms: readonly InstructionForm[] = [
  ...Object.values(toolForms),
  {
    verb: "call",
    usage: 'call <tool> <json>  (any tool of the agent, such as call ls {"path": "."})',
    parse: parseCall,
  },
  { verb: "say", usage: "say <text>", parse: (rest) => ({ kind: "say", text: unescapeText(rest) }) },
];

/** Every line the demo model understands, one usage a line, `demo tour` last. */
export const instructionUsages: readonly string[] = [...forms.map((form) => form.usage), "demo tour"];

/** Reads one line; `bad` when it lacks what its verb needs, undefined when it is no instruction. */
export function parseInstruction(line: string): Instruction | undefined {
  const [, verb, rest] = /^(\S+)\s*(.*)$/s.exec(line.trim()) ?? [];
  const form = forms.find((candidate) => candidate.verb === verb?.toLowerCase());
  if (!form) return undefined;
  const read = rest ? form.parse(rest) : form.verb === "ls" ? form.parse(".") : undefined;
  return read ?? { kind: "bad", why: `it is written \`${form.usage}\`` };
}

function single(tool: ToolName, argument: string): InstructionForm["parse"] {
  return (rest) => ({ kind: "call", tool, args: { [argument]: rest } });
}

/** Choices may follow the question. */
function parseAsk(rest: string): Instruction {
  const [question = "", ...choices] = rest.split("|").map((part) => part.trim());
  return { kind: "call", tool: "ask_human", args: { question, ...(choices.length > 0 && { choices }) } };
}

function onPath(tool: ToolName, argument: string): InstructionForm["parse"] {
  return (rest) => ({ kind: "call", tool, args: { [argument]: unquote(rest) } });
}

function parseWrite(rest: string): Instruction | undefined {
  const [path, text] = splitPath(rest);
  if (!path || text === undefined) return undefined;
  return { kind: "call", tool: "write_file", args: { file_path: path, content: unescapeText(text) } };
}

function parseEdit(rest: string): Instruction | undefined {
  const [path, change] = splitPath(rest);
  const [, before, after] = /^(.+?)\s=>(?:\s(.*))?$/s.exec(change ?? "") ?? [];
  if (!path || before === undefined) return undefined;
  return {
    kind: "call",
    tool: "edit_file",
    args: { file_path: path, old_string: unescapeText(before), new_string: unescapeText(after ?? "") },
  };
}

function parseMove(rest: string): Instruction | undefined {
  const [path, newPath] = splitPath(rest);
  if (!path || !newPath) return undefined;
  return { kind: "call", tool: "move_file", args: { file_path: path, new_path: unquote(newPath) } };
}

function parseTodo(rest: string): Instruction {
  const [, mark, content] = /^(\[[x> ]\])\s*(.+)$/.exec(rest) ?? [];
  if (!mark || !content) return { kind: "todo", content: rest, status: "pending" };
  return { kind: "todo", content, status: todoMarks[mark] ?? "pending" };
}

function parseDelegate(rest: string): Instruction | undefined {
  const [, agent, lines] = /^([\w-]+):\s*(.+)$/s.exec(rest) ?? [];
  if (!agent || !lines) return undefined;
  const paragraphs = lines.split(/\s+;;\s+/).map((turn) => turn.split(/\s+;\s+/).join("\n"));
  return {
    kind: "call",
    tool: "task",
    args: { subagent_type: agent, description: paragraphs.join("\n\n") },
  };
}

/** Without arguments the tool gets none. */
function parseCall(rest: string): Instruction {
  const [, tool = "", json = "{}"] = /^(\S+)(?:\s+(.+))?$/s.exec(rest) ?? [];
  let args: unknown;
  try {
    args = JSON.parse(json);
  } catch (error) {
    const reason = messageOf(error);
    return { kind: "bad", why: `what follows the tool is not JSON (${reason})` };
  }
  if (typeof args !== "object" || args === null || Array.isArray(args))
    return { kind: "bad", why: 'what follows the tool must be a JSON object, such as {"path": "."}' };
  return { kind: "call", tool, args: { ...args }, byName: true };
}

/** Splits a path, in quotes when it holds spaces, from what follows it. */
function splitPath(rest: string): [path: string | undefined, text: string | undefined] {
  const [, quoted, bare, text] = /^(?:"([^"]+)"|(\S+))(?:\s(.*))?$/s.exec(rest) ?? [];
  return [quoted ?? bare, text];
}

function unquote(text: string): string {
  return /^"([^"]+)"$/.exec(text)?.[1] ?? text;
}

function unescapeText(text: string): string {
  return text.replace(/\\([nt\\])/g, (_, letter) => (letter === "n" ? "\n" : letter === "t" ? "\t" : "\\"));
}
