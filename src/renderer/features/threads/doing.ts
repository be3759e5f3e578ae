/** Says in one line what a thread does now, or what it wants, or how it ended. Pure. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import { aboutApproval } from "../../../shared/tools/about-call.ts";
import { factsOf, type ToolName } from "../../../shared/tools/tools.ts";
import type { Standing } from "./standing.ts";
import { strings } from "./strings.ts";

export type Doing = {
  /** The console's own words. */
  words: string;
  /** What others chose: a command, a path, a question, an answer. */
  about?: string;
  /** It is code, not prose. */
  isCode?: boolean;
  /** How many more there are of it. */
  more?: number;
  /** Since when it goes on. */
  since?: number;
};

const { doing } = strings;

export function doingOf(standing: Standing): Doing {
  const { thread, shape, waiting, waits, snoozedUntil } = standing;
  switch (shape) {
    case "waits":
      return waiting[0] ? { ...wantOf(waiting[0]), more: waits - 1 } : { words: doing.waits };
    case "failed":
    case "interrupted":
      return { words: doing[shape], about: thread.problem };
    case "works":
      return workOf(thread);
    case "finished":
      // An agent that begins with the same word says it itself.
      return { words: /^done\b/iu.test(thread.said ?? "") ? "" : doing.done, about: thread.said };
    case "idle":
      if (snoozedUntil !== undefined) return { words: doing.snoozed(snoozedUntil) };
      if (thread.status === "stopped") return { words: doing.stopped, about: thread.said };
      if (thread.status === "new") return { words: doing.fresh };
      return thread.said === undefined ? { words: doing.rests } : { words: "", about: thread.said };
  }
}

/** What the first that waits asks for. */
function wantOf({ subject, tool }: Approval): Pick<Doing, "words" | "about" | "isCode"> {
  const about = firstLine(aboutApproval({ subject, tool }));
  switch (subject.kind) {
    case "command":
      return { words: doing.wants.run, about, isCode: true };
    case "file":
      return { words: doing.wants[subject.operation], about: subject.path, isCode: true };
    case "url":
      return { words: doing.wants.fetch, about, isCode: true };
    case "question":
      return { words: doing.wants.answer, about };
    case "escalation":
      return { words: doing.wants.escalation, about: firstLine(subject.command), isCode: true };
    case "setAside":
      return { words: doing.wants.setAside, about: firstLine(subject.names.join(", ")), isCode: true };
    case "response":
      return { words: doing.wants.response, about: firstLine(subject.request), isCode: true };
    case "recovery":
      return { words: doing.wants.recovery, about: firstLine(subject.what) };
    case "arguments":
    case "outer":
      return { words: doing.wants.call, about, isCode: true };
    case "spending":
      return { words: doing.wants.spend, about };
    case "terminal":
      return { words: doing.wants.terminal, about, isCode: true };
  }
}

function workOf({ activity, status }: Standing["thread"]): Doing {
  if (status === "queued") return { words: doing.inLine };
  if (!activity) return { words: doing.works };
  const { since } = activity;
  if (activity.kind !== "call") return { words: doing[activity.kind], since };
  const { tool, about, beside: more } = activity;
  if (!factsOf(tool)) return { words: doing.calls, about: `${tool} ${about}`, isCode: true, more, since };
  return { words: doing.tools[tool as ToolName], about, isCode: true, more, since };
}

function firstLine(text: string): string {
  const [line = "", ...rest] = text.trim().split("\n");
  return rest.length > 0 ? `${line}…` : line;
}
