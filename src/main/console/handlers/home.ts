/** Answers the contract's calls about bringing worktrees home: what is shown of a plan, and errors of git in a sentence. */
import type { Output, ParsedInput } from "../../../shared/contract/contract.ts";
import { ContractError } from "../../../shared/contract/errors.ts";
import {
  type HomeWay,
  homeWaySchema,
  mostHomeFiles,
  mostObstacleFiles,
} from "../../../shared/contract/home.ts";
import type { TakeBack } from "../../undo/take-back-store.ts";
import type { ConflictAnswers } from "../../worktrees/answer-conflicts.ts";
import { branchOf } from "../../worktrees/home-sides.ts";
import { type HomePlan, isOpen } from "../../worktrees/plan-home.ts";
import { proposeMessage } from "../../worktrees/pull-request.ts";
import type { ConsoleParts, HandlersOf } from "../console-parts.ts";
import { personVia } from "./undo.ts";
import { translate } from "./workspaces.ts";

type Preview = Output<"home.preview">;

/** @returns a handler for each call about bringing worktrees home */
export function createHomeHandlers({ threads, home }: ConsoleParts): HandlersOf<"home"> {
  return {
    "home.preview": ({ threadId, answers }) =>
      inWords("threadId", async () => {
        const { title } = threads.get(threadId);
        const { plan, worktree, last, pullRequest } = await home.preview(threadId, answersOf(answers));
        return {
          ...show(plan, title),
          folder: worktree.origin,
          pullRequest,
          ...(last && { last: lastOf(last) }),
        };
      }),
    "home.file": ({ threadId, path }) =>
      inWords("path", async () => {
        const { hunks, ...rest } = await home.file(threadId, path);
        return { ...rest, hunks: [...hunks] };
      }),
    "home.conflict": ({ threadId, path }) => inWords("path", () => home.conflict(threadId, path)),
    "home.putBack": ({ threadId, path, version, hunk }, { via }) =>
      inWords("path", async () => doneOf(await home.putBack(threadId, path, version, hunk, personVia(via)))),
    "home.bring": ({ threadId, way, digest, message, answers }, { via }) =>
      inWords("digest", async () =>
        doneOf(await home.bring(threadId, way, digest, message, personVia(via), answersOf(answers))),
      ),
  };
}

/** What git complained about is for the person to read; it is no failure of the app. */
async function inWords<T>(field: string, act: () => Promise<T>): Promise<T> {
  try {
    return await translate(field, act);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("Git said: "))
      throw new ContractError("unavailable", error.message, { field });
    throw error;
  }
}

const answersOf = (answers: ParsedInput<"home.bring">["answers"]): ConflictAnswers =>
  new Map(answers?.map(({ path, side }) => [path, side]));

const doneOf = ({ id, what }: TakeBack) => ({ id, files: what.files.length });

const lastOf = (last: TakeBack) => ({
  ...doneOf(last),
  at: last.at,
  way: homeWaySchema.parse(last.what.home?.way),
});

function show(plan: HomePlan, title: string): Omit<Preview, "folder" | "pullRequest" | "last"> {
  const { sides, snapshot, changes, ahead, behind, digest } = plan;
  const uncommitted = new Set(snapshot.uncommitted);
  const [branch, target] = [branchOf(sides.tree.ref), branchOf(sides.folder.ref)];
  return {
    ...(branch && { branch }),
    ...(target && { target }),
    ahead,
    behind,
    files: changes.slice(0, mostHomeFiles).map(({ name, oldName, state, from, to, lines }) => ({
      path: name,
      ...(state === "moved" && { movedFrom: oldName }),
      state,
      ...(lines && { lines }),
      modeChanged: from !== null && to !== null && from.split(" ")[0] !== to.split(" ")[0],
      committed: !uncommitted.has(name),
    })),
    filesCount: changes.length,
    uncommitted: snapshot.uncommitted.length,
    message: proposeMessage(title, snapshot.uncommitted),
    ways: {
      merge: showWay(plan, "merge"),
      rebase: showWay(plan, "rebase"),
      patch: showWay(plan, "patch"),
      keep: showWay(plan, "keep"),
    },
    conflicts: plan.conflicts
      .slice(0, mostObstacleFiles)
      .map(({ name, folder, thread, isAnswerable, answer }) => ({
        path: name,
        // More than these have no answers in one go.
        answerable: isAnswerable && plan.conflicts.length <= mostObstacleFiles,
        ...(answer && { answer }),
        sides: [
          ...(folder === null ? [] : (["folder"] as const)),
          ...(thread === null ? [] : (["thread"] as const)),
        ],
      })),
    digest,
  };
}

function showWay({ ways }: HomePlan, name: HomeWay): Preview["ways"][HomeWay] {
  const way = ways[name];
  return isOpen(way)
    ? { files: way.moves.length, forward: way.isForward === true }
    : { why: way.why, names: way.files.slice(0, mostObstacleFiles), namesCount: way.files.length };
}
