/** Finds the real place of a path on this disk: with the looks beside it all that the policy sees of the disk. */
import { followLinks, ownDisk } from "../paths/follow-links.ts";
import type { PathBase, PathStyle } from "../paths/path-style.ts";
import { posixStyle } from "../paths/posix-style.ts";
import type { ResolvePath } from "./policy-context.ts";

/** As a system of this style does it; a path that is elsewhere, by itself or through a link, is "unresolvable". */
export function resolveIn(
  style: PathStyle,
  base: Pick<PathBase, "workspace" | "home">,
  disk = ownDisk,
): ResolvePath {
  return (path) => {
    const followed = followLinks(path, style, base, disk);
    return "real" in followed ? followed : "unresolvable";
  };
}

/** Follows every link of an absolute path of this disk, written as on Linux. */
export const resolveRealPath: ResolvePath = resolveIn(posixStyle, { home: "/" });
