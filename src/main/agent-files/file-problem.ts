/** Says of a file that a person may have edited what is wrong with it: which file, which line and field, and why. */
import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import type { z } from "zod";
import { type FileProblem, listRefused, writeField } from "../../shared/contract/field-problem.ts";

/** A file, or something that was to be put into one, is refused. */
export class AgentFileError extends Error {
  override name = "AgentFileError";
  /** Dotted path; empty for the whole. */
  readonly field: string;
  constructor(field: string, message: string) {
    super(field ? `${field}: ${message}` : message);
    this.field = field;
  }
}

/** The problem as one sentence, for where there is no room to take it apart. */
export function describeFileProblem({ file, line, field, message }: FileProblem): string {
  return `${file} line ${line}${field && `, ${field}`}: ${message}`;
}

/** A text that was read and its path, so that each problem can name its line. */
export type ReadText = { file: string; text: string };

/** One problem per thing that is wrong. @param prefix the way to what was parsed, when it was not all of the file. */
export function toFileProblems(read: ReadText, error: z.ZodError, prefix: string[] = []): FileProblem[] {
  return listRefused(error, prefix).map(({ path, message }) => toFileProblem(read, path, message));
}

/** @param path the way to the value; when it is missing, the line is that of what should hold it. */
export function toFileProblem(read: ReadText, path: readonly PropertyKey[], message: string): FileProblem {
  return { file: read.file, line: lineOf(read.text, path), field: writeField(path), message };
}

function lineOf(text: string, path: readonly PropertyKey[]): number {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const way = path.map((part) => (typeof part === "number" ? part : String(part)));
  let node: Node | undefined;
  for (let length = way.length; root && !node && length >= 0; length -= 1)
    node = length === 0 ? root : findNodeAtLocation(root, way.slice(0, length));
  return lineAt(text, node?.offset ?? 0);
}

/** Counts from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
