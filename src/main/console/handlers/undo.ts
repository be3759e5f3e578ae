/** Answers the contract's calls about undo: paths as a person knows them, and no way back while an agent works. */
import { relative } from "node:path";
import type { Output, ParsedInput } from "../../../shared/contract/contract.ts";
import type { DecidedBy } from "../../../shared/contract/decisions.ts";
import { mostFilesShown } from "../../../shared/contract/undo.ts";
import { withSlashes } from "../../files/real-path.ts";
import { createWorkspaceFiles } from "../../files/workspace-files.ts";
import { isInside } from "../../paths/real-of.ts";
import type { ComesBack } from "../../undo/plan-take-back.ts";
import type { TakeBack } from "../../undo/take-back-store.ts";
import type { TakeBackPreview } from "../../undo/take-backs.ts";
import type { ConsoleParts, HandlersOf } from "../console-parts.ts";
import { translate } from "./workspaces.ts";

type Place = ParsedInput<"undo.preview">;

/** @returns a handler for each call about undo */
export function createUndoHandlers({ threads, takeBacks }: ConsoleParts): HandlersOf<"undo"> {
  const placeOf = ({ threadId, turnId, executionId }: Place) => ({
    threadId,
    turnId,
    root: createWorkspaceFiles(threads.get(threadId).workspace).root,
    ...(executionId && { executionId }),
  });
  return {
    "undo.preview": (input) =>
      translate("turnId", async () => {
        const place = placeOf(input);
        return show(place.root, await takeBacks.preview(place));
      }),
    "undo.carryOut": ({ digest, part, ...input }, { via }) =>
      translate("digest", async () =>
        countsOf(await takeBacks.carryOut(placeOf(input), digest, part, personVia(via))),
      ),
    "undo.reverse": ({ threadId, id }, { via }) =>
      translate("id", async () => {
        threads.get(threadId);
        return countsOf(await takeBacks.reverse(threadId, id, personVia(via)));
      }),
  };
}

/** A person, and the door they came through. */
export function personVia(via: "command line" | undefined): DecidedBy {
  return { kind: "person", ...(via && { via }) };
}

function countsOf({ what }: TakeBack) {
  return { files: what.files.length, messages: what.conversation?.turns.length ?? 0 };
}

function show(root: string, { back, stays, partly, conversation, digest, last }: TakeBackPreview) {
  const shown = (path: string) => (isInside(root, path) ? withSlashes(relative(root, path)) : path);
  return {
    back: back.slice(0, mostFilesShown).map((one) => ({ path: shown(one.path), how: howOf(one) })),
    backCount: back.length,
    stays: stays.slice(0, mostFilesShown).map(({ path, why }) => ({ path: shown(path), why })),
    staysCount: stays.length,
    partlyKnown: partly.length,
    conversation: conversation.back
      ? { messages: conversation.back.turns.length }
      : { why: conversation.why },
    digest,
    ...(last && { last: { id: last.id, at: last.at, ...countsOf(last), wentOn: last.wentOn } }),
  };
}

function howOf({ from, to }: ComesBack): Output<"undo.preview">["back"][number]["how"] {
  if (to === null) return "goes";
  if (from === null) return "returns";
  return from.hash === to.hash ? "permissions" : "content";
}
