/** Waiting cards of every kind a person meets, each line of their subjects marked for the witness. */
import type { Approval } from "../../shared/contract/approvals.ts";
import type { LiveCard } from "./live-queue.ts";
import { sampleApproval } from "./samples.ts";
import { marked } from "./screen-witness.ts";

/** How many lines a card of this kind has; the longest are folded at first. */
const kinds = [
  { kind: "command", lines: 1 },
  { kind: "command", lines: 13 },
  { kind: "arguments", lines: 6 },
  { kind: "command", lines: 34 },
  { kind: "file", lines: 24 },
  { kind: "high", lines: 2 },
  { kind: "question", lines: 3 },
  { kind: "wide", lines: 8 },
  { kind: "command", lines: 1 },
  { kind: "file", lines: 90 },
] as const;

/** @param version changes the text and the digest, as when a card is drawn anew. */
export function mixedCard(id: string, index: number, version = 1, change: Partial<Approval> = {}): LiveCard {
  const { kind, lines } = kinds[index % kinds.length] ?? kinds[0];
  const name = `${id}-v${version}`;
  const steps = Array.from({ length: lines }, (_, line) => `make part-${index} step-${line}`);
  // One line that is wider than any window, with markers all along it.
  const wide = () =>
    marked(
      name,
      steps.map(() => "检查数据 ".repeat(30)),
    ).replaceAll("\n", " ");
  const text = kind === "wide" ? wide() : marked(name, steps);
  const common = {
    // Those of one line are told in full by it, and form a group.
    ...(kind === "command" && lines === 1 && { shape: "make" }),
    digest: `digest-${name}`,
    requestedAt: 1_000 + index,
    threadId: index % 3 === 0 ? "t1" : "t2",
    threadTitle: index % 3 === 0 ? "Thread t1" : "Thread t2",
    ...change,
  };
  switch (kind) {
    case "arguments":
      return {
        approval: sampleApproval(id, "", {
          tool: "mcp__files__move",
          subject: { kind: "arguments" },
          ...common,
        }),
        detail: { args: Object.fromEntries(text.split("\n").map((line, at) => [`key${at}`, line])) },
      };
    case "file":
      return {
        approval: sampleApproval(id, "", {
          tool: "write_file",
          subject: {
            kind: "file",
            operation: "write",
            path: `src/${id}.ts`,
            added: lines,
            removed: 0,
            stale: false,
          },
          ...common,
        }),
        detail: {
          args: {},
          diff: { path: `src/${id}.ts`, before: null, after: `${text}\n`, tooLarge: false },
        },
      };
    case "question":
      return {
        approval: sampleApproval(id, "", {
          kind: "interrupt",
          subject: {
            kind: "question",
            question: text,
            wants: "text",
            choices: [{ answer: "yes" }, { answer: "no" }],
          },
          allowedDecisions: ["respond", "reject"],
          ...common,
        }),
      };
    default:
      return { approval: sampleApproval(id, text, { ...(kind === "high" && { risk: "high" }), ...common }) };
  }
}

/** The markers of a card's lines, as the witness names them. */
export function markersOf(id: string, index: number, version = 1): string[] {
  const { lines } = kinds[index % kinds.length] ?? kinds[0];
  return Array.from({ length: lines }, (_, line) => `${id}-v${version}.${line}`);
}

export function fortyCards(): LiveCard[] {
  return Array.from({ length: 40 }, (_, index) => mixedCard(`c${index}`, index));
}
