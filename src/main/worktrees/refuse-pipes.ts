/** Looks for pipes in the place of files that git itself reads in a work tree: it would wait in front of one. */
import { join, posix } from "node:path";
import { ContractError } from "../../shared/contract/errors.ts";
import { statOf } from "../undo/look-now.ts";
import { foldersOf } from "./index-entries.ts";

const readByGit = [".gitattributes", ".gitignore", ".gitmodules"];

/**
 * @param names files of the work tree, in whose folders and those above git reads
 * @throws ContractError naming the first that is neither a file nor a link
 */
export function refusePipes(root: string, names: Iterable<string>): void {
  const folders = new Set([""]);
  for (const name of names) for (const folder of foldersOf(name)) folders.add(folder);
  for (const folder of folders)
    for (const file of readByGit) {
      const stat = statOf(join(root, folder, file));
      if (stat === undefined || stat.isFile() || stat.isSymbolicLink() || stat.isDirectory()) continue;
      throw new ContractError(
        "conflict",
        `${posix.join(folder, file)} is a pipe or another special file, at which git would wait for ever. Take it away first.`,
      );
    }
}
