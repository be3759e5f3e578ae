/** What was moved aside, read for a card, and put where it was made when a person wants it, as far as it is what the card showed. */
import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { readNow } from "../base/read-now.ts";
import { nameBefore } from "./made-confined.ts";
import { entriesOf } from "./remembered-entries.ts";
import { kindOf } from "./repositories.ts";
import { moveAside, moveInFolder } from "./set-aside.ts";

/** A card is read to its end before it is decided. */
const mostFiles = 20;
const mostBytes = 16 * 1024;

export type AsideLook = {
  readonly files: readonly { readonly path: string; readonly text: string; readonly runs: boolean }[];
  /** All of it is plain text and stands there. */
  readonly whole: boolean;
  /** Of all that stands there. */
  readonly hash: string;
};

/** @param names as they are now; relative ones lie in the workspace */
export const lookAside = (workspace: string, names: readonly string[]): AsideLook =>
  lookAt(names.map((name) => ({ shown: nameBefore(name), path: resolve(workspace, name) })));

/** The same once it was taken in. */
const lookTaken = (workspace: string, names: readonly string[]): AsideLook =>
  lookAt(names.map((name) => ({ shown: nameBefore(name), path: resolve(workspace, nameBefore(name)) })));

function lookAt(places: readonly { shown: string; path: string }[]): AsideLook {
  const files: { path: string; text: string; runs: boolean }[] = [];
  let [whole, left] = [true, mostBytes];
  const add = (shown: string, path: string): void => {
    const kind = kindOf(path);
    if (kind === "folder" && files.length < mostFiles) {
      const entries = entriesOf(path).toSorted((a, b) => (a.name < b.name ? -1 : 1));
      for (const { name } of entries) add(`${shown}/${name}`, join(path, name));
      // An empty folder steers nobody; what it is to hold comes under its own name.
      return;
    }
    const text = kind === "file" && files.length < mostFiles ? readText(path, left) : undefined;
    if (text === undefined) whole = false;
    else {
      left -= Buffer.byteLength(text);
      files.push({ path: shown, text, runs: (lstatSync(path).mode & 0o111) !== 0 });
    }
  };
  for (const { shown, path } of places) add(shown, path);
  return {
    files,
    whole,
    hash: createHash("sha256")
      .update(JSON.stringify([whole, files]))
      .digest("hex"),
  };
}

/** Undefined for what is no text, is too long or went away. */
function readText(path: string, mostBytesOfIt: number): string | undefined {
  try {
    if (lstatSync(path).size > mostBytesOfIt) return undefined;
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readNow(path, "no link"));
  } catch {
    return undefined;
  }
}

/**
 * Puts it where it was made. Done twice it is done once.
 * @param hash of what a person saw
 * @returns false where that is not what stands there, or something else stands in its place by now; then it is aside
 */
export function takeIn(workspace: string, names: readonly string[], hash: string): boolean {
  const isTaken = () => {
    const { hash: now, whole } = lookTaken(workspace, names);
    return whole && now === hash;
  };
  if (isTaken()) return true;
  const aside = lookAside(workspace, names);
  if (!aside.whole || aside.hash !== hash) return false;
  const moved = names.filter(
    (name) => moveInFolder(resolve(workspace, name), (from) => freeName(nameBefore(from))) !== undefined,
  );
  // Another command of the folder may have written into it while it moved.
  if (moved.length === names.length && isTaken()) return true;
  for (const name of moved) moveAside(resolve(workspace, nameBefore(name)));
  return false;
}

const freeName = (path: string) =>
  lstatSync(path, { throwIfNoEntry: false }) === undefined ? path : undefined;
