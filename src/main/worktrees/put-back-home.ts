/** Works out what a file of a worktree becomes when it, or one piece of it, is put back to where the branch began. */
import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ContractError } from "../../shared/contract/errors.ts";
import { StaleFileError } from "../files/file-error.ts";
import type { OriginalBlobs } from "../files/original-blobs.ts";
import { decodeText, hashBytes } from "../files/stored-file.ts";
import { statOf } from "../undo/look-now.ts";
import type { ComesBack } from "../undo/plan-take-back.ts";
import { showEntry, type TreeChange } from "./compare-trees.ts";
import type { SidePlace } from "./home-sides.ts";
import { hunksOf, withoutHunk } from "./hunks.ts";
import { isExecutableEntry, isLinkEntry, isModuleEntry, objectOf } from "./index-entries.ts";
import { requireContent } from "./read-blob.ts";
import { mustGit, type SafeGit } from "./safe-git.ts";

/**
 * Binds what is put back to what was shown. Of the same texts there can be other pieces, since comparing them may take too long.
 * @param pieces how many of them were shown
 */
export const versionOfChange = ({ oldName, from, to }: TreeChange, pieces: number): string => {
  const change = createHash("sha256")
    .update(JSON.stringify([oldName, from, to]))
    .digest("hex");
  return `${change}:${pieces}`;
};

/** How many pieces were shown. */
const piecesOf = (version: string): number => Number(version.slice(version.lastIndexOf(":") + 1));

type Parts = { git: SafeGit; blobs: Pick<OriginalBlobs, "put">; place: SidePlace };

/**
 * @param version what was shown
 * @param hunk which piece of it; without it the whole file
 * @throws StaleFileError when the file is not as was shown; ContractError for what is not written here
 */
export async function planPutBack(
  parts: Parts,
  change: TreeChange,
  version: string,
  hunk?: number,
): Promise<ComesBack[]> {
  const { name, oldName, state, from, to } = change;
  const pieces = piecesOf(version);
  if (versionOfChange(change, pieces) !== version) throw new StaleFileError(name, "is not as it was shown");
  if ([from, to].some((entry) => isLinkEntry(entry) || isModuleEntry(entry)))
    throw new ContractError("conflict", "Links and submodules are not put back from here.");
  const now = to === null ? null : await readAsShown(parts, name, to);
  const path = join(parts.place.cwd, name);
  if (hunk !== undefined) return [await putHunkBack(parts, change, path, now, { at: hunk, pieces })];
  const old = from === null ? null : await contentOf(parts, oldName, from);
  const oldMode = (mode: number | null) =>
    mode === null
      ? isExecutableEntry(from)
        ? 0o755
        : null
      : isExecutableEntry(from)
        ? mode | 0o100
        : mode & ~0o111;
  const there = now && { hash: hashBytes(now.bytes), mode: now.mode };
  const back = async (mode: number | null) =>
    old && { hash: await parts.blobs.put(old), mode: oldMode(mode) };
  if (state !== "moved") return [{ path, from: there, to: await back(there?.mode ?? null) }];
  const oldPath = join(parts.place.cwd, oldName);
  if (statOf(oldPath)) throw new StaleFileError(oldName, "is there again");
  return [
    { path, from: there, to: null },
    { path: oldPath, from: null, to: await back(null) },
  ];
}

type Now = { bytes: Buffer; mode: number };

/** As git would store it, it has to be what was shown. */
async function readAsShown({ git, place }: Parts, name: string, to: string): Promise<Now> {
  const path = join(place.cwd, name);
  if (statOf(path)?.isFile() !== true) throw changed(name);
  const bytes = await readFile(path);
  const idOf = async (how: string) =>
    (await mustGit(git, place, ["hash-object", how, "--stdin"], { input: bytes })).trim();
  const id = objectOf(to);
  if ((await idOf("--no-filters")) !== id && (await idOf(`--path=${name}`)) !== id) throw changed(name);
  return { bytes, mode: lstatSync(path).mode & 0o7777 };
}

const changed = (name: string) => new StaleFileError(name, "was changed meanwhile");

/** With line ends as the settings of the work tree want them. */
async function contentOf({ git, place }: Parts, name: string, entry: string): Promise<Buffer> {
  const args = ["cat-file", "--filters", `--path=${name}`, objectOf(entry)];
  const bytes = Buffer.from(await mustGit(git, place, args, { bytes: true }), "latin1");
  await requireContent(git, place, name, bytes, objectOf(entry));
  return bytes;
}

async function putHunkBack(
  { git, blobs, place }: Parts,
  { name, from, to }: TreeChange,
  path: string,
  now: Now | null,
  { at, pieces }: { at: number; pieces: number },
): Promise<ComesBack> {
  const [old, fresh] = [await showEntry(git, place, from), await showEntry(git, place, to)];
  const text = now && decodeText(now.bytes);
  const hunks = "text" in old && "text" in fresh ? hunksOf(old.text, fresh.text) : [];
  if (hunks.length !== pieces) throw new StaleFileError(name, "is not as it was shown");
  const hunk = hunks[at];
  if (now === null || text === null || !hunk || !("text" in fresh))
    throw new ContractError("conflict", "Only pieces of a text that is there can be put back.");
  const plain = withoutHunk(fresh.text, hunk);
  const isCrLf = text !== fresh.text;
  if (isCrLf && text.replaceAll("\r\n", "\n") !== fresh.text) throw changed(name);
  const content = isCrLf ? plain.replaceAll("\n", "\r\n") : plain;
  const hash = await blobs.put(Buffer.from(content, "utf8"));
  return { path, from: { hash: hashBytes(now.bytes), mode: now.mode }, to: { hash, mode: now.mode } };
}
