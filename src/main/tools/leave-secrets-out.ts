/** Keeps files that may hold secrets out of what the search tool finds, and words that for the agent. */
import { homedir } from "node:os";
import { sep } from "node:path";
import { classifyName } from "../policy/sensitive-names.ts";

/** Whether a search leaves a file out, by its absolute path: names of secrets, and everything of Git's own. */
export function isLeftOut(workspace: string): (path: string) => boolean {
  const base = { workspace: workspace.replaceAll(sep, "/"), home: homedir() };
  return (path) => {
    const plain = path.replaceAll(sep, "/");
    return /\/\.git\//i.test(plain) || classifyName(plain, base).secret !== undefined;
  };
}

/** What the agent is told about files that were left out. */
export function describeLeftOut(count: number): string {
  const files =
    count === 1 ? "1 file that may hold secrets was" : `${count} files that may hold secrets were`;
  return `(${files} left out of this search. To search one, name it as the path; a person is asked then.)`;
}
