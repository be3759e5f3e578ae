/** What the policy may know of this disk, bundled for those who hand it in. */
import { followLinks, ownDisk } from "../paths/follow-links.ts";
import type { PathBase, PathStyle } from "../paths/path-style.ts";
import { posixStyle } from "../paths/posix-style.ts";
import { findKindInGit } from "./git-blob-kind.ts";
import { findTrackedSecrets } from "./git-contents.ts";
import { isKeptByGit } from "./git-keeps.ts";
import { readGitPrograms } from "./git-programs.ts";
import { lookForKind } from "./look-for-kind.ts";
import { lookForNames } from "./look-for-names.ts";
import { findSecretBelow } from "./look-for-secrets.ts";
import type { PolicyContext, ResolvePath } from "./policy-context.ts";

/**
 * @param workspace the real path of the folder in which commands run, in the form of `PathStyle`, as all paths here
 * @param paths how the system writes them
 */
export function lookAtDisk(
  workspace: string,
  paths: PathStyle = posixStyle,
  home = "/",
): Pick<
  Required<PolicyContext>,
  | "paths"
  | "resolvePath"
  | "isKept"
  | "trackedSecrets"
  | "gitKind"
  | "gitPrograms"
  | "findSecretBelow"
  | "look"
> {
  const { toNative, fromNative } = paths;
  return {
    paths,
    resolvePath: resolveIn(paths, { workspace, home }),
    isKept: (path) => isKeptByGit(toNative(workspace), toNative(path)),
    gitKind: (version, path) => findKindInGit(toNative(workspace), version, path),
    trackedSecrets: (asked) => findTrackedSecrets(toNative(workspace), asked),
    gitPrograms: () => readGitPrograms(toNative(workspace), toNative(home)),
    findSecretBelow(path, search) {
      const found = findSecretBelow(toNative(path), search);
      return found === undefined || found === "unknown" ? found : fromNative(found);
    },
    look: {
      isThere: (path) => lookForNames.isThere(toNative(path)),
      entriesIn: (path) => lookForNames.entriesIn(toNative(path)),
      namesIn: (path) => lookForNames.namesIn(toNative(path)),
      namesBelow: (path) => lookForNames.namesBelow(toNative(path)),
      kindOf: (path) => lookForKind(toNative(path)),
    },
  };
}

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
