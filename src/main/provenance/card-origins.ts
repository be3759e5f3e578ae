/** What a card says of the parts of a call that the person did not write. */
import type { CardOrigin } from "../../shared/contract/approvals.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { findOrigins } from "./find-origins.ts";
import type { KnownReading, KnownTexts, Readings } from "./readings.ts";

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

async function toCardOrigins(
  { persons, read, begun, steps }: KnownTexts,
  tool: string,
  args: Record<string, unknown>,
): Promise<CardOrigin[]> {
  const origins = await findOrigins(tool, args, persons, read, begun);
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
}
