/** File changes: each path they touch is judged, and the card shows what they would do to the disk as it is now. */
import { z } from "zod";
import type { Verdict } from "../../../shared/contract/decisions.ts";
import type { ToolOfKind } from "../../../shared/tools/tools.ts";
import type { FileChangePlan, FileChangeRequest } from "../../files/file-change.ts";
import type { WorkspaceFiles } from "../../files/workspace-files.ts";
import type { FileOperation } from "../../policy/file-rule.ts";
import { leavesWorkspace } from "../../policy/judge-file.ts";
import { worstVerdict } from "../../policy/verdict.ts";
import { type FileKindParts, type FileSubject, fileSubject, newPlaceOf, whyUnable } from "../file-card.ts";
import { baseOfChange, baseOfUnable } from "../shown-base.ts";
import type { AskedCall, ToolBehaviour } from "../tool-behaviour.ts";

const changeArgs = z.object({
  file_path: z.string(),
  new_path: z.string().optional(),
  content: z.string().optional(),
  old_string: z.string().optional(),
  new_string: z.string().optional(),
  replace_all: z.boolean().nullish(),
});
type Given = z.infer<typeof changeArgs>;

/** What each tool does to the disk. */
const requests: Record<ToolOfKind<"change">, (given: Given) => FileChangeRequest> = {
  write_file: ({ file_path: path, content }) => ({ operation: "write", path, content }),
  edit_file: (given) => ({
    operation: "edit",
    path: given.file_path,
    oldString: given.old_string,
    newString: given.new_string,
    replaceAll: given.replace_all ?? false,
  }),
  delete: ({ file_path: path }) => ({ operation: "delete", path }),
  move_file: ({ file_path: path, new_path: to }) => ({ operation: "move", path, to: to ?? "" }),
};

type Touched = { operation: FileOperation; path: string };

/** Each path a change touches and what it does there, which is what the policy is asked about. */
const touched: Record<FileChangeRequest["operation"], (request: FileChangeRequest) => Touched[]> = {
  write: ({ path }) => [{ operation: "write", path }],
  edit: ({ path }) => [{ operation: "write", path }],
  delete: ({ path }) => [{ operation: "delete", path }],
  // What is read at the new place afterwards was not to be read at the old one.
  move: ({ path, to = "" }) => [
    { operation: "read", path },
    { operation: "delete", path },
    { operation: "write", path: to },
  ],
};

function requestOf({ tool, args }: Pick<AskedCall, "tool" | "args">): FileChangeRequest {
  return requests[tool as ToolOfKind<"change">](changeArgs.parse(args));
}

/**
 * Works out, against the disk as it is now, what a file tool would do.
 * @param verdict a card may be drawn for a file outside of the workspace only where it says so: the yes then counts for
 *   the very path that was shown, and a link that was put in place afterwards carries nothing outside
 * @throws FileError when it could not do it
 */
export function planToolChange(
  files: WorkspaceFiles,
  call: Pick<AskedCall, "tool" | "args">,
  verdict: Verdict,
): Promise<FileChangePlan> {
  const request = requestOf(call);
  // Whether one path leaves the workspace says nothing of the other.
  const saysOutside = (path: string | undefined) => {
    const isOfPath = ({ text }: { text: string }) =>
      touched[request.operation](request).some((one) => one.path === path && text === writeTouched(one));
    return leavesWorkspace({ ...verdict, units: verdict.units.filter(isOfPath) });
  };
  return files.planChange(request, {
    allowOutside: saysOutside(request.path),
    allowTargetOutside: saysOutside(request.to),
  });
}

/** As the policy names what it judged. */
function writeTouched({ operation, path }: Touched): string {
  return `${operation} ${path}`;
}

/** Judged by whatever speaks against any path it touches; the card is drawn against the disk. */
export function createChangeKind({ judgeAt, filesOf }: FileKindParts): ToolBehaviour {
  return {
    isFree: false,
    async judge(call) {
      const request = requestOf(call);
      const verdicts = touched[request.operation](request).map(({ operation, path }) =>
        judgeAt(operation, path, call.thread),
      );
      // What may be read anyway is no reason to look at.
      const units = verdicts.flatMap((one) => one.units).filter(({ verdict }) => verdict !== "safe");
      return { verdict: { verdict: worstVerdict(verdicts.map(({ verdict }) => verdict)), units } };
    },
    async describe(call, verdict) {
      const { tool, thread } = call;
      const { operation, path: asked, to } = requestOf(call);
      const plan = await planToolChange(filesOf(thread.workspace), call, verdict).catch(whyUnable);
      if ("why" in plan) {
        const paths = to === undefined ? [asked] : [asked, to];
        const tellable = paths.every((path) => judgeAt("read", path, thread).verdict === "safe");
        const subject = { ...fileSubject(operation, asked, undefined, thread), ...(to && { movedTo: to }) };
        const shape = `${tool} ${paths.join(" ")}`;
        return { subject, shape, baseHash: baseOfUnable(paths.join(" ")), unable: { ...plan, tellable } };
      }
      const { added, removed } = plan;
      const subject: FileSubject = { ...fileSubject(operation, asked, plan, thread), added, removed };
      if (plan.to && to !== undefined) Object.assign(subject, newPlaceOf(to, plan.to, thread));
      const shape = [tool, subject.path, subject.movedTo].filter(Boolean).join(" ");
      return { subject, shape, baseHash: baseOfChange(plan) };
    },
  };
}
