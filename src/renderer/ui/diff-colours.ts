/** Syntax colours for the lines of a difference, each side coloured as the text it is; words that changed keep their mark. */
import { useCallback } from "react";
import type { FileDiff } from "../../shared/contract/approvals.ts";
import type { DiffRow } from "./diff-rows.ts";
import type { CodeToken } from "./highlight.ts";
import { useCodeTokens } from "./use-code-tokens.ts";

export type DiffPiece = DiffRow["parts"][number] & { color?: string };

/** @returns a function that gives a row's text in pieces of one colour; without colours until they are there. */
export function useDiffColours(
  diff: FileDiff,
  firstLine = 1,
  firstAfter = firstLine,
): (row: DiffRow) => readonly DiffPiece[] {
  const language = endingOf(diff.path);
  const before = useCodeTokens(diff.before ?? "", language);
  const after = useCodeTokens(diff.after ?? "", language);
  return useCallback(
    (row) => {
      const isRemoved = row.kind === "remove";
      const line = isRemoved ? row.before : row.after;
      const tokens =
        line === undefined ? undefined : isRemoved ? before?.[line - firstLine] : after?.[line - firstAfter];
      return tokens ? colourParts(row.parts, tokens) : row.parts;
    },
    [before, after, firstLine, firstAfter],
  );
}

/** What the file's name says of its language, such as `ts` or `dockerfile`. */
function endingOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  return name.slice(name.lastIndexOf(".") + 1).toLowerCase();
}

/** Tokens that do not say what the row says give it no colour: the row's own text is what is shown. */
export function colourParts(parts: DiffRow["parts"], tokens: readonly CodeToken[]): readonly DiffPiece[] {
  const text = parts.map((part) => part.text).join("");
  if (!text.startsWith(tokens.map((token) => token.text).join(""))) return parts;
  const pieces: DiffPiece[] = [];
  let at = 0;
  let used = 0;
  for (const part of parts) {
    for (let left = part.text; left !== ""; ) {
      const token = tokens[at];
      const taken = left.slice(0, token ? token.text.length - used : undefined);
      if (taken !== "") pieces.push({ ...part, text: taken, color: part.changed ? undefined : token?.color });
      left = left.slice(taken.length);
      used += taken.length;
      if (token && used === token.text.length) {
        at += 1;
        used = 0;
      }
    }
  }
  return pieces;
}
