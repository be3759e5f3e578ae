/** What cards about files have in common: which file is meant, and why nothing can be done with it. */
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Verdict } from "../../shared/contract/decisions.ts";
import type { Subject } from "../../shared/contract/subjects.ts";
import { FileError } from "../files/file-error.ts";
import type { Place } from "../files/real-path.ts";
import type { WorkspaceFiles } from "../files/workspace-files.ts";
import type { FileOperation } from "../policy/file-rule.ts";
import type { ThreadRow } from "../threads/thread-store.ts";

/** What the kinds of tools for files are made of. */
export type FileKindParts = {
  /** What the policy says of one path, with the rules of now. */
  judgeAt(operation: FileOperation, path: string, thread: ThreadRow): Verdict;
  filesOf(workspace: string): WorkspaceFiles;
};

export type FileSubject = Extract<Subject, { kind: "file" }>;

/** Where it really leads, and beside that the path as it was given when a link lies between them. */
export function fileSubject(
  operation: FileSubject["operation"],
  asked: string,
  place: Pick<Place, "path" | "relativePath"> | undefined,
  { workspace }: ThreadRow,
): FileSubject {
  const nothing = { added: 0, removed: 0, stale: false };
  if (!place) return { kind: "file", operation, path: asked, ...nothing };
  const isItself = resolveAsked(workspace, asked) === place.path;
  const askedAs = isItself ? undefined : asked;
  return { kind: "file", operation, path: place.relativePath, askedAs, ...nothing };
}

/** The same of the place a move gives it. */
export function newPlaceOf(
  asked: string,
  { path, relativePath }: Pick<Place, "path" | "relativePath">,
  { workspace }: ThreadRow,
): Pick<FileSubject, "movedTo" | "movedToAskedAs"> {
  const movedToAskedAs = resolveAsked(workspace, asked) === path ? undefined : asked;
  return { movedTo: relativePath, movedToAskedAs };
}

/** The path as it was given, absolute; no link is followed. */
export function resolveAsked(workspace: string, asked: string): string {
  const isInHome = asked === "~" || asked.startsWith("~/");
  return resolve(workspace, isInHome ? homedir() + asked.slice(1) : asked);
}

/** @returns the reason a file tool would give. @throws what is no trouble with a file. */
export function whyUnable(error: unknown): { why: string } {
  if (error instanceof FileError) return { why: error.message };
  throw error;
}

/** For a card about a file whose content the agent may not know, so that a person has to answer in the tool's place. */
export function explainUnable(why: string): string {
  return `As the disk is now this cannot be made: ${why} Approving it changes nothing but tells the agent so.`;
}
