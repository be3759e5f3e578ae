/** What of a call the person has not written, and where it comes from: what auto-approve is not to let pass. */
import { addressesIn, reachedBy, type Span } from "./addresses.ts";
import { findSpans, shortestSecret, shortestSpan } from "./find-spans.ts";
import { foldText } from "./fold-text.ts";
import { type CallPart, partsOfCall } from "./parts-of-call.ts";
import { partSentences, plainWords, standsIn } from "./persons-words.ts";
import type { ReadText } from "./read-text.ts";

/** One part of a call that is not the person's, by the characters of the argument it stands in. */
export type Origin = Span & {
  argument: string;
  what: "address" | "place" | "content" | "unreadable";
  /** Absent where no text that was read says it. */
  from?: ReadText;
};

/** Arguments that are longer are not looked through: they wait. */
const mostChars = 200_000;

/**
 * @param persons what the person wrote in this thread
 * @param read what its agent was given, oldest first
 * @returns nothing where all that was read is the workspace's, or all that matters is the person's. Everything that cannot
 * be told is in it.
 */
export async function findOrigins(
  tool: string,
  args: Record<string, unknown>,
  persons: readonly string[],
  read: readonly ReadText[],
): Promise<Origin[]> {
  const newest = read.filter(({ source }) => source === "outside" || source === "secret").toReversed();
  if (newest.length === 0) return [];
  const answers = read.flatMap(({ source, text }) => (source === "person" ? [text] : []));
  const said = toSaid([...persons, ...answers].map(partSentences));
  const origins: Origin[] = [];
  for (const part of partsOfCall(tool, args)) origins.push(...(await originsOf(part, newest, said)));
  return origins;
}

/** What the person said, in the forms that it is compared in. */
type Said = { texts: readonly string[]; words: string[]; reached: Set<string> };

function toSaid(texts: readonly string[]): Said {
  const reached = texts.flatMap((text) =>
    addressesIn(text, true).map(({ start, end }) => reachedBy(text.slice(start, end))),
  );
  return { texts, words: texts.map(plainWords), reached: new Set(reached) };
}

async function originsOf(part: CallPart, newest: readonly ReadText[], said: Said): Promise<Origin[]> {
  const { kind, value, argument, start, end } = part;
  if (kind === "content") {
    if (value.length > mostChars) return [{ argument, start, end, what: "unreadable" }];
    return contentOrigins(part, newest, said.texts);
  }
  if (isPersons(part, said)) return [];
  const from = await sourceOf(value, newest, kind === "place");
  if (kind === "place" && from === undefined) return [];
  return [{ argument, start, end, what: kind, ...(from && { from }) }];
}

function isPersons({ kind, value }: CallPart, { words, reached }: Said): boolean {
  if (words.some((one) => standsIn(one, value))) return true;
  return kind === "address" && reached.has(reachedBy(value));
}

/** The newest text that says it. @param byName also where it is only the last name of a path */
async function sourceOf(
  value: string,
  newest: readonly ReadText[],
  byName: boolean,
): Promise<ReadText | undefined> {
  const name = byName ? (value.split(/[\\/]/u).findLast((part) => part !== "") ?? value) : value;
  const { length } = foldText(name).text;
  if (length === 0) return undefined;
  if (length < shortestName) return newest.find(({ text }) => standsIn(plainWords(text), name));
  const [span] = await findSpans(name, [], newest, length);
  return span?.in;
}

/** Shorter names stand in other words by chance. */
const shortestName = 6;

async function contentOrigins(
  { argument, value }: CallPart,
  newest: readonly ReadText[],
  persons: readonly string[],
): Promise<Origin[]> {
  const of = (wanted: ReadText["source"]) => newest.filter(({ source }) => source === wanted);
  const spans = [
    ...(await findSpans(value, persons, of("secret"), shortestSecret)),
    ...(await findSpans(value, persons, of("outside"), shortestSpan)),
  ];
  return spans.map(({ start, end, in: from }) => ({ argument, start, end, what: "content", from }));
}
