/** What of a call the person has not written, and where it comes from: what auto-approve is not to let pass. */
import { posix } from "node:path";
import { kindOf } from "../../shared/tools/tools.ts";
import { giveWay } from "../base/give-way.ts";
import { reachedBy, type Span } from "./addresses.ts";
import { findSpans, shortestSecret, shortestSpan } from "./find-spans.ts";
import { foldText } from "./fold-text.ts";
import { type CallPart, partsOfCall } from "./parts-of-call.ts";
import { type SaidText, standsIn } from "./persons-words.ts";
import { type ReadText, wordsOf } from "./read-text.ts";

/** One part of a call that is not the person's, by the characters of the argument it stands in. */
export type Origin = Span & {
  argument: string;
  text: string;
  what: "address" | "place" | "content" | "unreadable";
  /** Absent where no text that was read says it. */
  from?: ReadText;
};

/**
 * Files that the thread's agent changed, by `rewrittenBy`, and as the how manieth call it did so first. What was read later
 * did not lead it there, so it may go on with such a file also when a test names it.
 */
export type Begun = ReadonlyMap<string, number>;

/** A text, and the how manieth call gave it. */
type Read = ReadText & { step?: number };

/**
 * The file that a call changes and leaves in its place, under a name by which it is known again; one that is not known again
 * only makes a call wait. Undefined for what is no such call.
 */
export function rewrittenBy(tool: string, args: Record<string, unknown>): string | undefined {
  const { file_path: path } = args;
  const isRewrite = kindOf(tool) === "change" && ("new_string" in args || "content" in args);
  return isRewrite && typeof path === "string" ? posix.normalize(path) : undefined;
}

/** Calls of more parts are not looked through: they wait. */
const mostParts = 500;

/**
 * @param persons what the person wrote in this thread
 * @param read what its agent was given, oldest first
 * @returns nothing where all that was read is the workspace's, or all that matters is the person's. Everything that cannot
 * be told is in it.
 */
export async function findOrigins(
  tool: string,
  args: Record<string, unknown>,
  persons: readonly SaidText[],
  read: readonly Read[],
  begun: Begun = new Map(),
): Promise<Origin[]> {
  const newest = read.filter(({ source }) => source === "outside" || source === "secret").toReversed();
  if (newest.length === 0) return [];
  await giveWay();
  const parts = partsOfCall(tool, args);
  // Nobody can look through all that was read, or through all of this.
  const cut = newest.find(({ isCut }) => isCut);
  if (cut !== undefined || parts.length > mostParts) return [toUnreadable(parts[0] ?? nothing, cut)];
  const since = begun.get(rewrittenBy(tool, args) ?? "");
  const origins: Origin[] = [];
  for (const part of parts) {
    await giveWay();
    const isBegun = since !== undefined && part.kind === "place" && part.argument === "file_path";
    const led = isBegun ? newest.filter(({ step = 0 }) => step < since) : newest;
    origins.push(...(await originsOf(part, led, persons)));
  }
  return origins;
}

const nothing = { argument: "", value: "", start: 0, end: 0 };

function toUnreadable(
  { argument, value: text, start, end }: Omit<CallPart, "kind">,
  from?: ReadText,
): Origin {
  return { argument, text, start, end, what: "unreadable", ...(from && { from }) };
}

async function originsOf(
  part: CallPart,
  newest: readonly ReadText[],
  persons: readonly SaidText[],
): Promise<Origin[]> {
  const { kind, value, argument, start, end } = part;
  if (kind === "content") return contentOrigins(part, newest, persons);
  if (isPersons(part, persons)) return [];
  const from = await sourceOf(value, newest, kind === "place");
  if (kind === "place" && from === undefined) return [];
  return [{ argument, text: value, start, end, what: kind, ...(from && { from }) }];
}

function isPersons({ kind, value }: CallPart, persons: readonly SaidText[]): boolean {
  if (persons.some(({ words }) => standsIn(words, value))) return true;
  return kind === "address" && persons.some(({ reached }) => reached.has(reachedBy(value)));
}

/** The newest text that says it. @param byName also where it is only the last name of a path */
async function sourceOf(
  value: string,
  newest: readonly ReadText[],
  byName: boolean,
): Promise<ReadText | undefined> {
  const name = byName ? (value.split(/[\\/]/u).findLast((part) => part !== "") ?? value) : value;
  const folded = foldText(name).text;
  if (folded === "") return undefined;
  for (const read of newest) {
    await giveWay();
    const isThere = folded.length < shortestName ? await isNamedIn(read, name) : read.folded.includes(folded);
    if (isThere) return read;
  }
  return undefined;
}

/** As a whole, also as the last name of a path. */
async function isNamedIn(read: ReadText, name: string): Promise<boolean> {
  const words = await wordsOf(read);
  return standsIn(words, name, true) || standsIn(words.replace(/[\\/]/gu, " "), name, true);
}

/** Shorter names stand in other words by chance. */
const shortestName = 6;

async function contentOrigins(
  { argument, value }: CallPart,
  newest: readonly ReadText[],
  persons: readonly SaidText[],
): Promise<Origin[]> {
  const of = (wanted: ReadText["source"]) => newest.filter(({ source }) => source === wanted);
  const said = persons.map(({ folded }) => folded);
  const folded = foldText(value);
  const spans = [
    ...(await findSpans(folded, said, of("secret"), shortestSecret)),
    ...(await findSpans(folded, said, of("outside"), shortestSpan)),
  ];
  return spans.map(({ start, end, in: from }) => {
    return { argument, text: value.slice(start, end), start, end, what: "content", from };
  });
}
