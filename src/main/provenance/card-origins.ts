/** What a card says of the parts of a call that the person did not write. */
import { posix } from "node:path";
import type { CardOrigin } from "../../shared/contract/approvals.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { findOrigins, type Origin } from "./find-origins.ts";
import { type KnownReading, type KnownTexts, nameOfFile, type Readings } from "./readings.ts";

/** The others of a call that has more of them are of the same kinds. */
const mostShown = 12;
const mostChars = 200;

/** @returns nothing where all that matters is the person's, or nothing of others was read. */
export async function findCardOrigins(
  readings: Pick<Readings, "of">,
  { threadId, tool, args }: { threadId: ThreadId; tool: string; args: Record<string, unknown> },
): Promise<CardOrigin[]> {
  return toCardOrigins(await readings.of(threadId), tool, args);
}

/** That a file is named by what it gave back itself tells a person nothing. */
const isItself = ({ what, text, from }: Origin) =>
  (what === "place" || what === "address") && from?.name === nameOfFile(posix.normalize(text));

async function toCardOrigins(
  { persons, read, begun, steps }: KnownTexts,
  tool: string,
  args: Record<string, unknown>,
): Promise<CardOrigin[]> {
  const found = await findOrigins(tool, args, persons, read, begun);
  const origins = found.some(isItself) ? await withoutItself(found) : found;
  return origins.slice(0, mostShown).map(({ argument, start, end, what, text, from }) => {
    const known = from as KnownReading | undefined;
    return {
      argument,
      start,
      end,
      what,
      text: text.length > mostChars ? `${text.slice(0, mostChars)}…` : text,
      ...(known && {
        from: known.name,
        secret: known.source === "secret",
        steps: Math.max(0, steps - known.step),
      }),
    };
  });

  /** Where another text names it too, that is the one to tell. */
  async function withoutItself(all: readonly Origin[]): Promise<Origin[]> {
    const own = new Set(all.filter(isItself).map(({ from }) => from?.name));
    const others = read.filter(({ name }) => !own.has(name));
    const again = await findOrigins(tool, args, persons, others, begun);
    return all.flatMap((one) =>
      isItself(one)
        ? again.filter(
            (same) => same.what === one.what && same.argument === one.argument && same.start === one.start,
          )
        : [one],
    );
  }
}
