/** What a thread's agent has read, and who wrote it. */
import { basename } from "node:path";
import { findSecretFile } from "../../../src/main/policy/secret-names.ts";
import { kindOf } from "../../../src/shared/tools/tools.ts";

/**
 * person: answers · workspace: files of a trusted folder · secret: what must not go anywhere · outside: the web, servers'
 * tools, what commands said, folders that are not trusted.
 */
export type TextSource = "person" | "workspace" | "secret" | "outside";

export type ReadText = {
  source: TextSource;
  /** Where exactly, in a person's words: an address, a server's tool, a command, a file. */
  name: string;
  text: string;
};

/** A call that gave a text, and what is known of it. */
export type Reading = {
  tool: string;
  args: Record<string, unknown>;
  /** The folder it works in is trusted. */
  isTrusted: boolean;
  /** The policy found that it only reads there. */
  readsOnlyHere: boolean;
};

/** Who wrote what a call gave back; whatever is not known to come from here comes from outside. */
export function sourceOfResult({ tool, args, isTrusted, readsOnlyHere }: Reading): TextSource {
  const kind = kindOf(tool);
  if (kind === "question") return "person";
  if (kind === "command") return isTrusted && readsOnlyHere ? "workspace" : "outside";
  const { file_path: path } = args;
  if (typeof path === "string" && findSecretFile(basename(path)) !== undefined) return "secret";
  const isHere = kind === "read" || kind === "change" || kind === "plan";
  return isHere && isTrusted ? "workspace" : "outside";
}
