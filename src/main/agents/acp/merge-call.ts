/** Puts together what an agent says of one call in several messages, whatever their order, as one call that can be asked about. */
import type { PermissionOption, ToolCallContent, ToolCallUpdate } from "@agentclientprotocol/sdk";
import {
  type OuterCall,
  type OuterCallKind,
  outerCallKindSchema,
} from "../../../shared/contract/outer-agents.ts";

/** What was said of a call so far. */
export type SaidOfCall = Pick<ToolCallUpdate, "kind" | "status" | "title" | "rawInput" | "rawOutput"> & {
  content: ToolCallContent[];
  places: string[];
};

export const nothingSaid: SaidOfCall = { content: [], places: [] };

/**
 * What is said later counts, but nothing that was said is taken back by an empty word. Nothing is cut off either: a
 * person would say yes to what no card showed.
 */
export function mergeCall(before: SaidOfCall, update: ToolCallUpdate): SaidOfCall {
  const { kind, status, title, rawInput, rawOutput, content, locations } = update;
  return {
    kind: kind ?? before.kind,
    status: status ?? before.status,
    title: title || before.title,
    rawInput: isEmpty(rawInput) ? (before.rawInput ?? rawInput) : rawInput,
    rawOutput: rawOutput ?? before.rawOutput,
    content: content && content.length > 0 ? content : before.content,
    places: locations && locations.length > 0 ? locations.map(({ path }) => path) : before.places,
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
    title: title ?? "",
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
  return content.flatMap((part) => {
    if (part.type === "diff") return [];
    const text = part.type === "content" && part.content.type === "text" ? part.content.text : nameOf(part);
    return text === "" ? [] : [text];
  });
}

/** What is no text is named at least, without the bytes of an image or a sound. */
const nameOf = (part: ToolCallContent) =>
  `[Not shown: ${JSON.stringify(part, (name, value: unknown) =>
    (name === "data" || name === "blob") && typeof value === "string" ? `${value.length} characters` : value,
  )}]`;

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
