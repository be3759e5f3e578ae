/** What every side of the comparison is: something that says of a call whether it runs, waits for a person or is refused. */
import { kindOf } from "../../src/shared/tools/tools.ts";
import type { Call, Step } from "./trace.ts";

export type Answer = {
  outcome: "runs" | "asks" | "refused";
  /** What a person has to read before they decide: characters, and parts that are judged one by one. */
  characters: number;
  units: number;
};

/** What was there before a call. */
export type Past = {
  /** The person's words. */
  asked: string;
  /** The calls that were made, the text of others among their results. */
  done: readonly Step[];
};

export const emptyPast: Past = { asked: "", done: [] };

export type Side = {
  name: string;
  /** Whose policy it is and how it got here: the product's own code, a program, or read from documents. */
  basis: string;
  /** Most sides judge the call alone. */
  judge(call: Call, past: Past): Promise<Answer>;
};

const effortless = { characters: 0, units: 0 };
export const runs: Answer = { outcome: "runs", ...effortless };
export const refused: Answer = { outcome: "refused", ...effortless };

/** A question that shows the call and nothing else, as that of a side whose own words are not known. */
export function asks(call: Call): Answer {
  return { outcome: "asks", characters: textOf(call).length, units: 1 };
}

/** What of a call a person has to read, whoever asks. */
export function textOf({ tool, args }: Call): string {
  const { command, file_path: path, content, old_string: before, new_string: after, url } = args;
  if (typeof command === "string") return command;
  if (typeof url === "string") return url;
  if (typeof path === "string")
    return [path, content, before, after].filter((part) => typeof part === "string").join("\n");
  return `${tool} ${JSON.stringify(args)}`;
}

/** Whether a call does nothing but read, as far as its tool or the corpus tells. */
export function isReading({ tool, reads }: Call): boolean {
  return reads === true || ["read", "plan", "question", "delegate"].includes(kindOf(tool));
}

/** The plain ends of the scale, by which the others are measured. */
export const plainSides: readonly Side[] = [
  { name: "ask about every call", basis: "a bound", judge: async (call) => asks(call) },
  {
    name: "ask about every call that does not only read",
    basis: "a bound; commands count as not only reading",
    judge: async (call) => (isReading(call) ? runs : asks(call)),
  },
  { name: "ask about nothing", basis: "a bound", judge: async () => runs },
];
