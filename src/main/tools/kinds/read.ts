/** Reading: what a path leads to is judged, bound and read; a link may be turned to another file at any time. */
import { z } from "zod";
import type { ToolOfKind } from "../../../shared/tools/tools.ts";
import { OutsideWorkspaceError } from "../../files/file-error.ts";
import { leavesWorkspace } from "../../policy/judge-file.ts";
import { type FileKindParts, fileSubject, resolveAsked, whyUnable } from "../file-card.ts";
import { baseOfRead, baseOfUnable } from "../shown-base.ts";
import type { AskedCall, ToolBehaviour } from "../tool-behaviour.ts";

const pathArgs = z.object({ file_path: z.string().optional(), path: z.string().nullish() });

/** Whether the tool goes through a folder, and takes no path, or `/`, for the whole workspace. */
const searches: Record<ToolOfKind<"read">, boolean> = { ls: true, glob: true, grep: true, read_file: false };

function askedPath({ tool, args }: AskedCall): string {
  const { file_path: file, path } = pathArgs.parse(args);
  const asked = file ?? path ?? ".";
  return asked === "/" && searches[tool as ToolOfKind<"read">] ? "." : asked;
}

/** Judged by the path as asked and by where it really leads. */
export function createReadKind({ judgeAt, filesOf }: FileKindParts): ToolBehaviour {
  return {
    isFree: false,
    async judge(call) {
      const { thread } = call;
      const asked = askedPath(call);
      const verdict = judgeAt("read", asked, thread);
      if (verdict.verdict !== "safe") return { verdict, readsOnly: true };
      const place = await filesOf(thread.workspace).resolve(asked).catch(whyUnable);
      const readPath = "why" in place ? resolveAsked(thread.workspace, asked) : place.path;
      return { verdict: judgeAt("read", readPath, thread), readsOnly: true, readPath };
    },
    async describe(call, verdict) {
      const { tool, thread } = call;
      const asked = askedPath(call);
      const found = await filesOf(thread.workspace).resolve(asked).catch(whyUnable);
      // The verdict was of a file inside; a link that came in between is not what it was about.
      const strayed = !("why" in found) && !found.inside && !leavesWorkspace(verdict);
      const place = strayed ? whyUnable(new OutsideWorkspaceError(asked, thread.workspace)) : found;
      const unable = "why" in place ? { ...place, tellable: false } : undefined;
      const subject = fileSubject("read", asked, "why" in place ? undefined : place, thread);
      const baseHash = "why" in place ? baseOfUnable(asked) : baseOfRead(place.path);
      return { subject, shape: `${tool} ${subject.path}`, baseHash, unable };
    },
  };
}
