/** Puts together what an agent says of one call in several messages, whatever their order, as one call that can be asked about. */
import type { PermissionOption, ToolCallContent, ToolCallUpdate } from "@agentclientprotocol/sdk";
import {
  type OuterCall,
  type OuterCallKind,
  outerCallKindSchema,
} from "../../../shared/contract/outer-agents.ts";
import { shortenText } from "../../../shared/wire/shorten.ts";

/** What was said of a call so far. */
export type SaidOfCall = Pick<ToolCallUpdate, "kind" | "status" | "title" | "rawInput" | "rawOutput"> & {
  content: ToolCallContent[];
  places: string[];
};

export const nothingSaid: SaidOfCall = { content: [], places: [] };

/** A title is a line, and longer ones say nothing more. */
const titleBytes = 2_000;
const mostPlaces = 100;
const mostParts = 200;

/** What is said later counts, but nothing that was said is taken back by an empty word. */
export function mergeCall(before: SaidOfCall, update: ToolCallUpdate): SaidOfCall {
  const { kind, status, title, rawInput, rawOutput, content, locations } = update;
  return {
    kind: kind ?? before.kind,
    status: status ?? before.status,
    title: title || before.title,
    rawInput: isEmpty(rawInput) ? (before.rawInput ?? rawInput) : rawInput,
    rawOutput: rawOutput ?? before.rawOutput,
    content: content && content.length > 0 ? content.slice(0, mostParts) : before.content,
    places:
      locations && locations.length > 0
        ? locations.slice(0, mostPlaces).map(({ path }) => path)
        : before.places,
  };
}

/** @param yes how the agent words the one answer that allows it once. */
export function toOuterCall(agent: string, said: SaidOfCall, yes: string | undefined): OuterCall {
  const { title, rawInput, places, content } = said;
  const changes = content.flatMap((part) =>
    part.type === "diff" ? [{ path: part.path, before: part.oldText ?? null, after: part.newText }] : [],
  );
  return {
    agent,
    does: kindOfCall(said),
    title: shortenText(title ?? "", titleBytes),
    ...(rawInput !== undefined && rawInput !== null && { input: rawInput }),
    places,
    changes,
    notes: textsOf(content),
    ...(yes !== undefined && { yes }),
  };
}

/** What the agent says that the call does; `other` for what the protocol does not know. */
export function kindOfCall({ kind }: Pick<SaidOfCall, "kind">): OuterCallKind {
  return outerCallKindSchema.safeParse(kind).data ?? "other";
}

/** What the agent reported of how a call ended. */
export function resultOfCall({ content, rawOutput }: SaidOfCall): string {
  const texts = textsOf(content).join("\n");
  if (texts !== "" || rawOutput === undefined || rawOutput === null) return texts;
  return typeof rawOutput === "string" ? rawOutput : JSON.stringify(rawOutput);
}

/** The ids to answer with: each only where it cannot mean anything else. */
export type Answers = { yes: PermissionOption | undefined; no: PermissionOption | undefined };

/**
 * Only answers for this once are ever sent. Where several could be meant, or one id stands for several, none is: what a
 * yes would mean then is for the agent's own window to say.
 */
export function answersAmong(options: readonly PermissionOption[]): Answers {
  const only = (kind: PermissionOption["kind"]) => {
    const [first, ...others] = options.filter((option) => option.kind === kind);
    const isShared = options.filter(({ optionId }) => optionId === first?.optionId).length > 1;
    return others.length > 0 || isShared ? undefined : first;
  };
  return { yes: only("allow_once"), no: only("reject_once") };
}

function textsOf(content: readonly ToolCallContent[]): string[] {
  return content.flatMap((part) =>
    part.type === "content" && part.content.type === "text" && part.content.text !== ""
      ? [part.content.text]
      : [],
  );
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
