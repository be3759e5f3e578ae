/** How far a command may reach, in the words of cards, conversation and record. */
import type { Width } from "../../shared/contract/decisions.ts";
import { lastSegment } from "./words.ts";

/** @param folder the workspace, which the words name by its last part where it is given */
export function wordsOfWidth(width: Width, folder?: string): string {
  const name = folder === undefined ? "its folder" : lastSegment(folder);
  return {
    "read-only": "Confined: writes nothing, no network",
    workspace: `Confined: writes in ${name} but not to git, no network`,
    "workspace and git": `Confined: writes in ${name}, no network`,
    outside: "Not confined: runs as you, with everything you may do",
  }[width];
}
