/**
 * What everybody has to know of each built-in tool: host, card, transcript and agent editor. A name that is not listed
 * is *foreign* (a server's or an outer agent's tool): nothing is known of it, so an agent asks about it.
 */

/** What a tool does to the world; each kind has one behaviour in the host and one view in the page. */
export type ToolKind = "command" | "change" | "read" | "web" | "delegate" | "plan" | "question" | "foreign";

/** The page holds a picture for each. */
export type ToolIcon =
  | "terminal"
  | "file"
  | "folder"
  | "search"
  | "file-new"
  | "file-edit"
  | "file-delete"
  | "file-move"
  | "globe"
  | "people"
  | "list"
  | "question";

type Args = Record<string, unknown>;

export type ToolFacts = {
  kind: Exclude<ToolKind, "foreign">;
  icon: ToolIcon;
  /** Before the object in the head of a card: "Write" a path. */
  verb: string;
  /** In the agent editor. */
  does: string;
  /** Whether an agent asks about it unless its configuration says otherwise; a read asks where the policy does. */
  asks: boolean;
  /** What this call is about, in one line; `undefined` where the arguments do not say. */
  about(args: Args): string | undefined;
};

export const tools = {
  execute: {
    kind: "command",
    icon: "terminal",
    verb: "Run",
    does: "Run a command in the workspace",
    asks: true,
    about: text("command"),
  },
  write_file: {
    kind: "change",
    icon: "file-new",
    verb: "Write",
    does: "Write a file",
    asks: true,
    about: text("file_path"),
  },
  edit_file: {
    kind: "change",
    icon: "file-edit",
    verb: "Edit",
    does: "Change part of a file",
    asks: true,
    about: text("file_path"),
  },
  delete: {
    kind: "change",
    icon: "file-delete",
    verb: "Delete",
    does: "Delete a file or folder",
    asks: true,
    about: text("file_path"),
  },
  move_file: {
    kind: "change",
    icon: "file-move",
    verb: "Move",
    does: "Move or rename a file",
    asks: true,
    about: fromAndTo,
  },
  fetch_url: {
    kind: "web",
    icon: "globe",
    verb: "Fetch",
    does: "Read a web page",
    asks: true,
    about: text("url"),
  },
  web_search: {
    kind: "web",
    icon: "globe",
    verb: "Search the web for",
    does: "Search the web, when a service is set up",
    asks: true,
    about: text("query"),
  },
  task: {
    kind: "delegate",
    icon: "people",
    verb: "Delegate",
    does: "Hand work to a sub-agent",
    asks: false,
    about: taskName,
  },
  ask_human: {
    kind: "question",
    icon: "question",
    verb: "Question",
    does: "Ask the person a question",
    asks: false,
    about: text("question"),
  },
  write_todos: {
    kind: "plan",
    icon: "list",
    verb: "Plan",
    does: "Keep a plan",
    asks: false,
    // The plan stands in a place of its own.
    about: () => undefined,
  },
  ls: {
    kind: "read",
    icon: "folder",
    verb: "List",
    does: "List a folder",
    asks: false,
    about: text("path"),
  },
  read_file: {
    kind: "read",
    icon: "file",
    verb: "Read",
    does: "Read a file",
    asks: false,
    about: text("file_path"),
  },
  glob: {
    kind: "read",
    icon: "search",
    verb: "Find files",
    does: "Find files by name",
    asks: false,
    about: patternAndPlace,
  },
  grep: {
    kind: "read",
    icon: "search",
    verb: "Look for",
    does: "Find text in files",
    asks: false,
    about: patternAndPlace,
  },
} satisfies Record<string, ToolFacts>;

export type ToolName = keyof typeof tools;

/** The tools of one kind, so that what is said of each can be asked for by the compiler. */
export type ToolOfKind<Kind extends ToolKind> = {
  [Name in ToolName]: (typeof tools)[Name]["kind"] extends Kind ? Name : never;
}[ToolName];

/** @returns `undefined` for a foreign tool, whatever a server has called it. */
export function factsOf(tool: string): ToolFacts | undefined {
  return Object.hasOwn(tools, tool) ? tools[tool as ToolName] : undefined;
}

/** @returns `foreign` of a name without facts, which always asks. */
export function kindOf(tool: string): ToolKind {
  return factsOf(tool)?.kind ?? "foreign";
}

/** What the name of every tool of an MCP server begins with, so that none can stand in for a built-in one. */
export const serversToolPrefix = "mcp__";

/** By its name alone: whether the server is there does not matter. */
export function isServersTool(tool: string): boolean {
  return tool.startsWith(serversToolPrefix);
}

/** What the name of every call of an outer agent begins with; what follows is what the agent says that it does. */
export const outerToolPrefix = "outer__";

/** Whether an outer agent does this itself: nothing of it is done here. */
export function isOutersTool(tool: string): boolean {
  return tool.startsWith(outerToolPrefix);
}

function text(name: string): (args: Args) => string | undefined {
  return (args) => {
    const value = args[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
}

const longestTaskName = 80;

/** Two at work are told apart by what they do; their kind may be the same. */
function taskName(args: Args): string | undefined {
  const lines = text("description")(args)?.split("\n") ?? [];
  const first = lines.map((line) => line.trim()).find((line) => line !== "");
  if (first === undefined) return text("subagent_type")(args);
  const characters = [...first];
  return characters.length > longestTaskName ? `${characters.slice(0, longestTaskName).join("")}…` : first;
}

function fromAndTo(args: Args): string | undefined {
  const [from, to] = [text("file_path")(args), text("new_path")(args)];
  return from && to && writeMove(from, to);
}

/** Both places in one line, told apart also where a name holds the arrow. */
export function writeMove(from: string, to: string): string {
  const write = (path: string) => (/[→"]/.test(path) ? JSON.stringify(path) : path);
  return `${write(from)} → ${write(to)}`;
}

/** The whole workspace is named by no path or by `/`. */
function patternAndPlace(args: Args): string | undefined {
  const [pattern, path] = [text("pattern")(args), text("path")(args)];
  return pattern && path && path !== "/" ? `${pattern}  ${path}` : pattern;
}
