/** Turns a message into the model turns the demo plays: paragraphs become turns, lines become parallel calls. */
import { createHash } from "node:crypto";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { parseInstruction, type TodoStatus } from "./instruction.ts";

export type ScriptedCall = {
  id: string;
  name: string;
  args: Record<string, unknown>;
  /** The instruction as it was written, for the closing report. */
  line: string;
  /** The person chose the tool by its name, so it may be one that the agent does not have. */
  byName: boolean;
};

type ScriptedTurn = {
  say: string;
  calls: ScriptedCall[];
};

export type DemoScript = {
  turns: ScriptedTurn[];
  /** Text of paragraphs after the last call. */
  closing: string;
  /** Lines that cannot be obeyed, with the reason when the verb was understood. */
  unknown: { line: string; why?: string }[];
};

/** The script of the latest human message, and the turn that comes next. */
type ScriptPosition = {
  script: DemoScript;
  turn: number;
};

/**
 * Finds the place in the script from the messages alone, so that a restart, a replay and a fork all go on
 * at the right turn: it follows the turn whose calls the last AI message made. Turns may have been left out since
 * their tools were not there, so the messages are not counted.
 */
export function locateScript(messages: readonly BaseMessage[]): ScriptPosition {
  const start = messages.findLastIndex((message) => message.type === "human");
  const human = messages[start];
  const text = human?.text ?? "";
  const humanCount = messages.filter((message) => message.type === "human").length;
  const seed = createHash("sha256")
    .update(JSON.stringify([human?.id ?? null, humanCount, text]))
    .digest("hex")
    .slice(0, 12);
  const script = parseScript(text, seed);
  const last = messages.slice(start + 1).findLast((message) => AIMessage.isInstance(message));
  const made = new Set(last?.tool_calls?.map((call) => call.id));
  const turn = 1 + script.turns.findIndex(({ calls }) => calls.some((call) => made.has(call.id)));
  return { script, turn };
}

/** Parses a message; `seed` makes the call ids unique to it (and names the file of the tour). */
function parseScript(text: string, seed: string): DemoScript {
  const lines = text.replace(/^[ \t]*demo tour[ \t]*\r?$/gim, () => tourLines(seed)).split(/\r?\n/);
  const script: DemoScript = { turns: [], closing: "", unknown: [] };
  let spoken: string[] = [];
  for (const paragraph of splitParagraphs(lines)) {
    const { say, calls } = readParagraph(
      paragraph,
      `demo_${seed}_${script.turns.length + 1}`,
      script.unknown,
    );
    spoken.push(...say);
    // A model turn without a call ends the agent's run, so a paragraph that only speaks joins the next one.
    if (calls.length === 0) continue;
    script.turns.push({ say: spoken.join("\n"), calls });
    spoken = [];
  }
  script.closing = spoken.join("\n");
  return script;
}

function splitParagraphs(lines: readonly string[]): string[][] {
  const paragraphs: string[][] = [[]];
  for (const line of lines) {
    if (line.trim() === "") paragraphs.push([]);
    else paragraphs.at(-1)?.push(line.trim());
  }
  return paragraphs.filter((paragraph) => paragraph.length > 0);
}

function readParagraph(lines: readonly string[], idPrefix: string, unknown: DemoScript["unknown"]) {
  const say: string[] = [];
  const calls: ScriptedCall[] = [];
  const todos: { content: string; status: TodoStatus }[] = [];
  for (const line of lines) {
    const id = `${idPrefix}_${calls.length + 1}`;
    const instruction = parseInstruction(line);
    if (!instruction) unknown.push({ line });
    else if (instruction.kind === "bad") unknown.push({ line, why: instruction.why });
    else if (instruction.kind === "say") say.push(instruction.text);
    else if (instruction.kind === "call") {
      const { tool: name, args, byName = false } = instruction;
      calls.push({ id, name, args, line, byName });
    } else {
      // The to-do tool replaces the whole list and refuses two calls in one turn.
      if (todos.length === 0) calls.push({ id, name: "write_todos", args: { todos }, line, byName: false });
      todos.push({ content: instruction.content, status: instruction.status });
    }
  }
  return { say, calls };
}

/** Of `demo tour`: every part of the product once, with four requests on the way, one for each key that the console teaches. */
const goals = [
  "Look at the workspace",
  "Write a note and change it",
  "Run a command",
  "Let a sub-agent check",
];

/**
 * The lines of the tour, paragraphs apart.
 * @param seed distinguishes the note of this tour from one an earlier tour left behind.
 */
function tourLines(seed: string): string {
  const note = `countersign-tour-${seed.slice(0, 6)}.md`;
  return [
    [
      "say This is the scripted demo: no AI is involved. I plan, look around, and ask before anything risky.",
      ...planLines(0),
      "ls .",
    ],
    [
      "say First request: a new file. Approve it.",
      ...planLines(1),
      `write ${note} # Countersign tour\\n\\nStatus: draft\\n\\nNothing here ran without your approval.\\n`,
    ],
    [
      "say Second request: a change to it, shown as a difference. Approve it, take that back, and approve again.",
      `edit ${note} Status: draft => Status: reviewed`,
    ],
    [
      "say Third request: a command in the shell. Reject it with a reason, if you like; I go on without it.",
      ...planLines(2),
      // With ./ its name can be no address. It touches a file, since nobody is asked about commands that only read.
      `run touch ./${note} && echo "The tour is nearly over"`,
    ],
    [
      "say Now a sub-agent reads the note and reports back.",
      ...planLines(3),
      `delegate general-purpose: read ${note} ;; say The note is there, I have read it.`,
    ],
    ["say Last request: deleting the note again, which cannot be undone.", `run rm -rf ./${note}`],
    ["say Everything on the list is done.", ...planLines(goals.length)],
  ]
    .map((paragraph) => paragraph.join("\n"))
    .join("\n\n");
}

function planLines(done: number): string[] {
  return goals.map((goal, index) => `todo ${index < done ? "[x]" : index === done ? "[>]" : "[ ]"} ${goal}`);
}
