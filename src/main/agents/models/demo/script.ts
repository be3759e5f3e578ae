/** Turns a message into the model turns the demo plays: paragraphs become turns, lines become parallel calls. */
import { createHash } from "node:crypto";
import type { BaseMessage } from "@langchain/core/messages";
import { parseInstruction, type TodoStatus } from "./instruction.ts";
import { tourLines } from "./tour.ts";

export interface ScriptedCall {
  id: string;
  name: string;
  args: Record<string, unknown>;
  /** The instruction as it was written, for the closing report. */
  line: string;
}

interface ScriptedTurn {
  say: string;
  calls: ScriptedCall[];
}

export interface DemoScript {
  turns: ScriptedTurn[];
  /** Text of paragraphs after the last call. */
  closing: string;
  /** Lines that are no instruction. */
  unknown: string[];
}

/** The script of the latest human message, and how many of its turns were already played. */
interface ScriptPosition {
  script: DemoScript;
  turn: number;
}

/**
 * Finds the place in the script from the messages alone, so that a restart, a replay and a fork all go on
 * at the right turn: it is the number of AI messages after the last human one.
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
  const turn = messages.slice(start + 1).filter((message) => message.type === "ai").length;
  return { script: parseScript(text, seed), turn };
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

function readParagraph(lines: readonly string[], idPrefix: string, unknown: string[]) {
  const say: string[] = [];
  const calls: ScriptedCall[] = [];
  const todos: { content: string; status: TodoStatus }[] = [];
  for (const line of lines) {
    const id = `${idPrefix}_${calls.length + 1}`;
    const instruction = parseInstruction(line);
    if (!instruction) unknown.push(line);
    else if (instruction.kind === "say") say.push(instruction.text);
    else if (instruction.kind === "call") {
      calls.push({ id, name: instruction.tool, args: instruction.args, line });
    } else {
      // The to-do tool replaces the whole list and refuses two calls in one turn.
      if (todos.length === 0) calls.push({ id, name: "write_todos", args: { todos }, line });
      todos.push({ content: instruction.content, status: instruction.status });
    }
  }
  return { say, calls };
}
