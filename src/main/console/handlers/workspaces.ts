/** Answers the contract's calls about folders and the files in them. */
import { homedir } from "node:os";
import { join } from "node:path";
import { ContractError, type ErrorCode } from "../../../shared/contract/errors.ts";
import type { Workspace } from "../../../shared/contract/workspaces.ts";
import { FileError } from "../../files/file-error.ts";
import { openOutside } from "../../files/open-outside.ts";
import { browseFolders } from "../../files/open-workspace.ts";
import { searchPaths } from "../../files/search-paths.ts";
import { classifyName } from "../../policy/sensitive-names.ts";
import type { ConsoleParts, HandlersOf } from "../console-parts.ts";
import { nearWorkspaces } from "../for-launcher.ts";

/** @returns a handler for each call about workspaces and their files. */
export function createWorkspaceHandlers(parts: ConsoleParts): HandlersOf<"workspaces" | "files"> {
  const { threads, workspaces, folderTrust, tracker } = parts;
  const { pickFolder } = parts.options;
  const home = homedir();
  return {
    async "workspaces.list"() {
      const own = await folderTrust.own();
      const listed: Workspace[] = [];
      for (const one of workspaces.list())
        listed.push({ ...one, changed: (await folderTrust.lookForChanges(one.path)).files });
      return {
        workspaces: listed,
        home,
        ...(own && { own }),
      };
    },
    "workspaces.open": async ({ path }) => workspaces.touch(await parts.openWorkspace(path)),
    async "workspaces.pick"() {
      if (!pickFolder)
        throw new ContractError(
          "unavailable",
          "There is no folder dialog here. Choose a folder from the list.",
        );
      return { path: await pickFolder(nearWorkspaces(parts, home)) };
    },
    "workspaces.browse": ({ path }) => translate("path", async () => browseFolders(path)),
    "workspaces.setTrust": (input) =>
      input.trusted ? folderTrust.trust(input.path, input.digest) : folderTrust.distrust(input.path),
    "workspaces.review": ({ path }) => folderTrust.review(path),
    async "workspaces.accept"({ path, digest }) {
      await folderTrust.accept(path, digest);
      return {};
    },
    async "files.search"({ threadId, query, limit }) {
      const { workspace } = threads.get(threadId);
      const isSecret = (path: string) =>
        classifyName(join(workspace, path), { workspace, home }).secret !== undefined;
      return searchPaths(workspace, query, limit, isSecret);
    },
    async "files.changed"({ threadId }) {
      threads.get(threadId);
      return { files: await tracker.list(threadId), incomplete: await tracker.isIncomplete(threadId) };
    },
    "files.diff": ({ threadId, path }) => translate("path", () => tracker.diff(threadId, path)),
    "files.open": ({ threadId, path, how }) =>
      translate("path", async () => ({
        done: await openOutside(threads.get(threadId).workspace, path, how),
      })),
    "files.revert": ({ threadId, path }) =>
      translate("path", async () => {
        await tracker.revert(threadId, path);
        return {};
      }),
  };
}

const codes: Partial<Record<FileError["code"], ErrorCode>> = {
  "not-found": "not-found",
  stale: "conflict",
  exists: "conflict",
  permission: "forbidden",
  outside: "forbidden",
  "read-only": "read-only",
  "disk-full": "disk-full",
  io: "unavailable",
};

/**
 * File errors already say in plain English what to do; they keep their words and get a code of the contract.
 * @throws ContractError for those; whatever else `act` throws is thrown on.
 */
export async function translate<T>(field: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof FileError)
      throw new ContractError(codes[error.code] ?? "invalid-input", error.message, { field });
    throw error;
  }
}
