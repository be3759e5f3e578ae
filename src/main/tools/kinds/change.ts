/** File changes: each path they touch is judged, and the card shows what they would do to the disk as it is now. */
import { z } from "zod";
import type { Verdict } from "../../../shared/contract/decisions.ts";
import type { ToolOfKind } from "../../../shared/tools/tools.ts";
import type { FileChangePlan, FileChangeRequest } from "../../files/file-change.ts";
import type { WorkspaceFiles } from "../../files/workspace-files.ts";
import type { FileOperation } from "../../policy/file-rule.ts";
import { leavesWorkspace } from "../../policy/judge-file.ts";
import { type FileKindParts, fileSubject, whyUnable } from "../file-card.ts";
import { baseOfChange, baseOfUnable } from "../shown-base.ts";
import type { AskedCall, ToolBehaviour } from "../tool-behaviour.ts";

const changeArgs = z.object({
  file_path: z.string(),
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
};

/** What the policy is asked about each. */
const operations: Record<FileChangeRequest["operation"], FileOperation> = {
  write: "write",
  edit: "write",
  delete: "delete",
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
  return files.planChange(requestOf(call), { allowOutside: leavesWorkspace(verdict) });
}

export function createChangeKind({ judgeAt, filesOf }: FileKindParts): ToolBehaviour {
  return {
    isFree: false,
    async judge(call) {
      const { operation, path } = requestOf(call);
      return { verdict: judgeAt(operations[operation], path, call.thread) };
    },
    async describe(call, verdict) {
      const { tool, thread } = call;
      const { operation, path: asked } = requestOf(call);
      const plan = await planToolChange(filesOf(thread.workspace), call, verdict).catch(whyUnable);
      if ("why" in plan) {
        const tellable = judgeAt("read", asked, thread).verdict === "safe";
        const subject = fileSubject(operation, asked, undefined, thread);
        const shape = `${tool} ${asked}`;
        return { subject, shape, baseHash: baseOfUnable(asked), unable: { ...plan, tellable } };
      }
      const { added, removed } = plan;
      const subject = { ...fileSubject(operation, asked, plan, thread), added, removed };
      return { subject, shape: `${tool} ${subject.path}`, baseHash: baseOfChange(plan) };
    },
  };
}
