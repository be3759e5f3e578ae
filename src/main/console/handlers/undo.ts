/** Answers the contract's calls about undo: paths as a person knows them, and no way back while an agent works. */
import { relative } from "node:path";
import { ContractError } from "../../../shared/contract/errors.ts";
import { mostFilesShown } from "../../../shared/contract/undo.ts";
import type { ThreadId, TurnId } from "../../../shared/ids.ts";
import type { Handlers } from "../../../shared/wire/serve-contract.ts";
import { isInside, withSlashes } from "../../files/real-path.ts";
import { createWorkspaceFiles } from "../../files/workspace-files.ts";
import type { ThreadStore } from "../../threads/thread-store.ts";
import type { ComesBack } from "../../undo/plan-take-back.ts";
import type { TakeBacks } from "../../undo/take-backs.ts";
import { translate } from "./workspaces.ts";

type UndoHandlerParts = {
  threads: Pick<ThreadStore, "get">;
  takeBacks: TakeBacks;
  isRunning(threadId: ThreadId): boolean;
};

/** @param parts `isRunning` says whether the thread's agent is at work, while which nothing is taken back */
export function createUndoHandlers({
  threads,
  takeBacks,
  isRunning,
}: UndoHandlerParts): Pick<Handlers, Extract<keyof Handlers, `undo.${string}`>> {
  const placeOf = (threadId: ThreadId, turnId: TurnId) => ({
    threadId,
    turnId,
    root: createWorkspaceFiles(threads.get(threadId).workspace).root,
  });
  const requireRest = (threadId: ThreadId) => {
    if (isRunning(threadId))
      throw new ContractError("conflict", "The agent is still working here. Stop it first.", {
        field: "threadId",
      });
  };
  return {
    "undo.preview": ({ threadId, turnId }) =>
      translate("turnId", async () => {
        const place = placeOf(threadId, turnId);
        const { back, stays, partly, digest, last } = await takeBacks.preview(place);
        const shown = (path: string) =>
          isInside(place.root, path) ? withSlashes(relative(place.root, path)) : path;
        return {
          back: back.slice(0, mostFilesShown).map((one) => ({ path: shown(one.path), how: howOf(one) })),
          backCount: back.length,
          stays: stays.slice(0, mostFilesShown).map(({ path, why }) => ({ path: shown(path), why })),
          staysCount: stays.length,
          partlyKnown: partly.length,
          digest,
          ...(last && { last: { id: last.id, at: last.at, count: last.what.files.length } }),
        };
      }),
    "undo.carryOut": ({ threadId, turnId, digest }) =>
      translate("digest", async () => {
        requireRest(threadId);
        const { what } = await takeBacks.carryOut(placeOf(threadId, turnId), digest);
        return { count: what.files.length };
      }),
    "undo.reverse": ({ threadId, id }) =>
      translate("id", async () => {
        threads.get(threadId);
        requireRest(threadId);
        const { what } = await takeBacks.reverse(threadId, id);
        return { count: what.files.length };
      }),
  };
}

function howOf({ from, to }: ComesBack) {
  if (to === null) return "goes";
  if (from === null) return "returns";
  return from.hash === to.hash ? "permissions" : "content";
}
