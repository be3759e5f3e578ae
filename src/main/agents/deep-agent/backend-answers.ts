/** What the workspace's files answer, in the form that the backend protocol of deep agents wants. */
import type { LsResult } from "deepagents";
import type { RawFile } from "../../files/workspace-files.ts";

/** The glob tool's own description recommends patterns such as `/src/**`, meaning the workspace's `src`. */
export function patternIn(root: string, pattern: string): string {
  return pattern.startsWith("/") && !pattern.startsWith(`${root}/`) ? pattern.replace(/^\/+/, "") : pattern;
}

/** A search finds files only, and so says no kind. */
type Listed = { relativePath: string; kind?: string; size: number; modifiedAt: number };

/** Folders end in a slash, as the file tools of the packages expect; paths are relative to the workspace. */
export function toFileInfo(entry: Listed): NonNullable<LsResult["files"]>[number] {
  const isFolder = entry.kind === "folder";
  return {
    path: isFolder ? `${entry.relativePath}/` : entry.relativePath,
    is_dir: isFolder,
    size: entry.size,
    modified_at: new Date(entry.modifiedAt).toISOString(),
  };
}

/** Text where it is text, otherwise the bytes as they are. */
export function toFileData(file: RawFile) {
  const at = (milliseconds: number) => new Date(milliseconds).toISOString();
  return {
    content: file.text ?? new Uint8Array(file.bytes),
    mimeType: file.text === null ? "application/octet-stream" : "text/plain",
    created_at: at(file.createdAt),
    modified_at: at(file.modifiedAt),
  };
}

/** @param offset in lines, from 0; the answer counts them from 1, and `endLine` is the last one shown. */
export function sliceLines(file: RawFile & { text: string }, offset: number, limit: number) {
  const lines = file.text.split("\n");
  const shown = lines.slice(offset, offset + limit);
  return {
    content: shown.join("\n"),
    mimeType: "text/plain",
    totalLines: lines.length,
    startLine: offset + 1,
    endLine: offset + shown.length,
  };
}
