/** How far a command may reach, in the words of cards, conversation and record. */
import type { Width } from "../../shared/contract/decisions.ts";
import { type Grant, readWidth } from "../../shared/width.ts";
import { lastSegment } from "./words.ts";

/** @param folder the workspace, which the words name by its last part where it is given */
export function wordsOfWidth(width: Width, folder?: string): string {
  if (width === "outside") return "Not confined: runs as you, with everything you may do";
  const { files, grant, folders } = readWidth(width);
  if (files === "none") return "Confined: writes nothing, no network";
  const name = folder === undefined ? "its folder" : lastSegment(folder);
  const places = [files === "workspace" ? `${name} but not to git` : name, ...folders].join(", and in ");
  return `Confined: writes in ${places}, ${wordsOfGrant(grant)}`;
}

function wordsOfGrant(grant: Grant | undefined): string {
  if (grant === "network") return "with the network and what listens on this machine";
  return grant === "sockets" ? "no network, with the sockets of this machine's programs" : "no network";
}
