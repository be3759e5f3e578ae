/** What of the world a card was drawn against, as one string: part of the digest, and compared again at the effect. */
import type { FileChangePlan } from "../files/file-change.ts";
import { isOwnWay } from "../files/own-steps.ts";
import type { RehearsalName } from "../rehearsal/rehearse.ts";

type Drawn = Pick<FileChangePlan, "path" | "to" | "beforeHash" | "differenceHash">;

/** Between the two places of a move; no path holds it. */
const toNewPlace = "\0";

/** Which file a change was drawn against, what was in it, for an edit which lines it changes, and for a move where to. */
export function baseOfChange({ path, to, beforeHash, differenceHash }: Drawn): string {
  const paths = to ? `${path}${toNewPlace}${to.path}` : path;
  return `${beforeHash ?? "absent"}${differenceHash ? `/${differenceHash}` : ""} ${paths}`;
}

/** Which file or folder a read leads to. */
export function baseOfRead(path: string): string {
  return `read ${path}`;
}

/** A change that could not be made when the card was drawn; only that nothing comes of it was agreed to. */
export function baseOfUnable(path: string): string {
  return `unable ${path}`;
}

/** What a server said of its tool. */
export function baseOfTool(digest: string): string {
  return `tool ${digest}`;
}

/** What a rehearsed command would do, and where that is kept. */
export function baseOfRehearsal({ id, digest }: RehearsalName): string {
  return `rehearsed ${id} ${digest}`;
}

/** What an effect is bound to by the base that a person saw. */
export type BoundTo = {
  /** The real paths of the file or folder, and of where it is moved to; none when none was shown. */
  paths: string[];
  /** The real path when it is to be read, and not changed. */
  readPath: string | undefined;
  toolDigest: string | undefined;
  /** What is committed in place of a command that runs. */
  rehearsal: RehearsalName | undefined;
};

/** @param base of a card or an execution. One that was not written here binds to nothing. */
export function readBase(base: string | undefined): BoundTo {
  const found = /^(absent|unable|read|tool|rehearsed|[0-9a-f]{64})(?:\/[0-9a-f]{64})? (.*)$/s.exec(
    base ?? "",
  );
  const [, kind, rest] = found ?? [];
  const [id, digest] = kind === "rehearsed" ? (rest ?? "").split(" ") : [];
  const isAboutFiles = rest !== undefined && !["unable", "tool", "rehearsed"].includes(kind ?? "");
  return {
    paths: isAboutFiles ? rest.split(toNewPlace) : [],
    readPath: kind === "read" ? rest : undefined,
    toolDigest: kind === "tool" ? rest : undefined,
    rehearsal: id && digest ? { id, digest } : undefined,
  };
}

/**
 * Whether what a card drawn now would show is what was shown: the same file with the same content; or an edit of the very
 * same lines where nothing but the app's own changes came between, so that edits approved together can all be made.
 */
export function isStillShown(base: string, now: string): boolean {
  if (base === now) return true;
  const shown = readEdit(base);
  const drawn = readEdit(now);
  return (
    shown !== undefined &&
    drawn !== undefined &&
    shown.path === drawn.path &&
    shown.difference === drawn.difference &&
    isOwnWay(shown.path, shown.before, drawn.before)
  );
}

function readEdit(base: string) {
  const [, before, difference, path] = /^([0-9a-f]{64})\/([0-9a-f]{64}) (.*)$/s.exec(base) ?? [];
  return before !== undefined && path !== undefined ? { before, difference, path } : undefined;
}
