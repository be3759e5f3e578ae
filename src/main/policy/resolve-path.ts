/** Finds the real place of a path on this disk: the one part of the policy that looks at files. */
import { lstatSync, readlinkSync } from "node:fs";
import type { ResolvePath } from "./shell-context.ts";

const maxLinks = 40;

/** What stands at a path: a link's target, something else, nothing, or something that may not be looked at. */
function look(path: string): { link: string } | "other" | "nothing" | "unknown" {
  try {
    return lstatSync(path).isSymbolicLink() ? { link: readlinkSync(path) } : "other";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return code === "ENOENT" || code === "ENOTDIR" ? "nothing" : "unknown";
  }
}

/**
 * Follows every symbolic link of an absolute path, `..` after a link included, part by part as the kernel does.
 * The part that does not exist is appended as it is written. Loops and unreadable folders are "unresolvable".
 */
export const resolveRealPath: ResolvePath = (path) => {
  if (!path.startsWith("/") || path.includes("\0")) return "unresolvable";
  const left = path.split("/").reverse();
  const real: string[] = [];
  let links = 0;
  let exists = true;
  while (left.length > 0) {
    const part = left.pop()!;
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (!exists) return "unresolvable";
      real.pop();
      continue;
    }
    const found = exists ? look(`/${[...real, part].join("/")}`) : "nothing";
    if (found === "unknown") return "unresolvable";
    if (found === "nothing") exists = false;
    if (typeof found === "object") {
      links += 1;
      if (links > maxLinks) return "unresolvable";
      if (found.link.startsWith("/")) real.length = 0;
      left.push(...found.link.split("/").reverse());
    } else real.push(part);
  }
  return { real: `/${real.join("/")}` };
};
