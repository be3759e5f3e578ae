/** What the policy may know of this disk, bundled for those who hand it in. */
import { findTrackedSecrets } from "./git-contents.ts";
import { isKeptByGit } from "./git-keeps.ts";
import { lookForNames } from "./look-for-names.ts";
import { findSecretBelow } from "./look-for-secrets.ts";
import { resolveRealPath } from "./resolve-path.ts";
import type { ShellContext } from "./shell-context.ts";

/** @param workspace the real path of the folder in which commands run */
export function lookAtDisk(
  workspace: string,
): Pick<Required<ShellContext>, "resolvePath" | "isKept" | "trackedSecrets" | "findSecretBelow" | "look"> {
  return {
    resolvePath: resolveRealPath,
    isKept: (path) => isKeptByGit(workspace, path),
    trackedSecrets: () => findTrackedSecrets(workspace),
    findSecretBelow,
    look: lookForNames,
  };
}
