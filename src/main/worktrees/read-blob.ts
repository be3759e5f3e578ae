/** Contents of git's store, held against their ids: git believes whatever file has the name, and an agent may write there. */
import { createHash } from "node:crypto";
import { ContractError } from "../../shared/contract/errors.ts";
import { plainIndex } from "./index-entries.ts";
import { type GitPlace, mustGit, type SafeGit } from "./safe-git.ts";

const isContentOf = (id: string, bytes: Buffer): boolean =>
  createHash(id.length === 64 ? "sha256" : "sha1")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex") === id;

/** @throws ContractError where the store has something else under that id; Error in git's words */
export async function readBlob(git: SafeGit, place: GitPlace, id: string): Promise<Buffer> {
  const bytes = Buffer.from(await mustGit(git, place, ["cat-file", "blob", id], { bytes: true }), "latin1");
  if (isContentOf(id, bytes)) return bytes;
  throw new ContractError(
    "unavailable",
    `Git's store is damaged: ${id} is not what it says. \`git fsck\` tells more. Nothing was done.`,
  );
}

/**
 * @param bytes what git wrote of it to a file, with line ends as the settings want them
 * @throws as `readBlob`
 */
export async function requireContent(
  git: SafeGit,
  place: GitPlace,
  name: string,
  bytes: Buffer,
  id: string,
): Promise<void> {
  if (isContentOf(id, bytes)) return;
  const args = ["hash-object", `--path=${name}`, "--stdin"];
  const stored = (await mustGit(git, place, args, { input: bytes, settings: plainIndex })).trim();
  // Line ends that are not all the same do not come back as they were.
  if (stored !== id) await readBlob(git, place, id);
}
