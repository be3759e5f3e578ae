/** Lets changes that touch the same file happen one after the other: over all threads, workspaces and ways to name it. */
import { lstat } from "node:fs/promises";
import { isInside } from "../paths/real-of.ts";
import { StaleFileError } from "./file-error.ts";
import type { Place } from "./real-path.ts";

/** What a change lays its hand on. A file may have several names; `identity` is the same for all of them. */
type Claim = {
  readonly path: string;
  readonly identity: string | undefined;
};

type Turn = {
  /** A move lays its hand on two. */
  readonly claims: readonly Claim[];
  readonly over: Promise<void>;
};

/** Of the whole process and not of a workspace, because workspaces may overlap. */
const turns = new Set<Turn>();

/** A path that something keeps turning elsewhere is given up. */
const mostAttempts = 20;

/** Where a disk does not tell names apart by case or form they are one; elsewhere two files wait for each other in vain, once. */
function comparable(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

async function claimOf(path: string): Promise<Claim> {
  const found = await lstat(path, { bigint: true }).catch(() => null);
  return { path: comparable(path), identity: found?.isFile() ? `${found.dev}:${found.ino}` : undefined };
}

function claimAll(places: readonly Place[]): Promise<Claim[]> {
  return Promise.all(places.map(({ path }) => claimOf(path)));
}

/** Also a folder and what lies in it meet: it may be deleted while a file in it is written. */
function meet(one: Claim, other: Claim): boolean {
  if (one.identity !== undefined && one.identity === other.identity) return true;
  return isInside(one.path, other.path) || isInside(other.path, one.path);
}

/** All is claimed in one step and waits for what was claimed before, so no two turns wait for each other. */
async function takeTurn<T>(claims: readonly Claim[], act: () => Promise<T>): Promise<T> {
  const meetsAny = (turn: Turn) => turn.claims.some((one) => claims.some((other) => meet(one, other)));
  const earlier = [...turns].filter(meetsAny).map(({ over }) => over);
  const { promise, resolve } = Promise.withResolvers<void>();
  const turn: Turn = { claims, over: promise };
  turns.add(turn);
  try {
    await Promise.all(earlier);
    return await act();
  } finally {
    turns.delete(turn);
    resolve();
  }
}

/** Whether what was claimed is what is there now; what was not there may have come. */
function isHeld(claim: Claim, now: Claim | undefined): boolean {
  return now?.path === claim.path && (now.identity === undefined || now.identity === claim.identity);
}

/**
 * Runs `act` while no other change of the same files is between its last look and its end, in the order in
 * which it became known where they lead. Of two that are asked for at the same moment either may be the first.
 * @param locate where the change leads now; asked again when it is this change's turn, since a link may have been turned
 * @param act gets the places that are held
 * @throws what `locate` and `act` throw; StaleFileError when the path never stays the same for long enough
 */
export async function inFileTurn<T>(
  locate: () => Promise<Place[]>,
  act: (places: Place[]) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const claims = await claimAll(await locate());
    const outcome = await takeTurn(claims, async () => {
      const places = await locate();
      const now = await claimAll(places);
      const held = claims.every((claim, index) => isHeld(claim, now[index]));
      return held ? { result: await act(places) } : undefined;
    });
    if (outcome) return outcome.result;
  }
  const asked = (await locate()).map((place) => place.asked);
  throw new StaleFileError(asked.join(" or "), "keeps leading somewhere else");
}
