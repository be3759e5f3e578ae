/** What the policy may know of this disk, bundled for those who hand it in. */

import type { PathStyle } from "../paths/path-style.ts";
import { posixStyle } from "../paths/posix-style.ts";
import { findTrackedSecrets } from "./git-contents.ts";
import { isKeptByGit } from "./git-keeps.ts";
import { lookForNames } from "./look-for-names.ts";
import { findSecretBelow } from "./look-for-secrets.ts";
import type { PolicyContext } from "./policy-context.ts";
import { resolveIn } from "./resolve-path.ts";

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
  "paths" | "resolvePath" | "isKept" | "trackedSecrets" | "findSecretBelow" | "look"
> {
  const { toNative, fromNative } = paths;
  return {
    paths,
    resolvePath: resolveIn(paths, { workspace, home }),
    isKept: (path) => isKeptByGit(toNative(workspace), toNative(path)),
    trackedSecrets: () => findTrackedSecrets(toNative(workspace)),
    findSecretBelow(path, search) {
      const found = findSecretBelow(toNative(path), search);
      return found === undefined || found === "unknown" ? found : fromNative(found);
    },
    look: {
      isThere: (path) => lookForNames.isThere(toNative(path)),
      entriesIn: (path) => lookForNames.entriesIn(toNative(path)),
      namesIn: (path) => lookForNames.namesIn(toNative(path)),
      namesBelow: (path) => lookForNames.namesBelow(toNative(path)),
    },
  };
}
