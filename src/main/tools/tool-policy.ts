/** Puts a tool call to the policy: which part of it judges this tool, with which rules, in which folder. */
import { homedir } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";
import type { ShellKind } from "../../shared/command-shell.ts";
import type { Subject } from "../../shared/contract/approvals.ts";
import type { Verdict } from "../../shared/contract/decisions.ts";
import type { FileChangePlan } from "../files/file-change.ts";
import { FileError, OutsideWorkspaceError } from "../files/file-error.ts";
import type { WorkspaceFiles } from "../files/workspace-files.ts";
import { styleOfFiles } from "../paths/own-style.ts";
import { judgeFile, leavesWorkspace } from "../policy/judge-file.ts";
import { judging } from "../rules/judging-thread.ts";
import { makePolicyContext } from "../rules/policy-context.ts";
import type { RulesInForce } from "../rules/rule-entries.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import { judgeUrl, judgeWebSearch, originShape } from "./judge-url.ts";
import { baseOfChange, baseOfRead, baseOfUnable } from "./shown-base.ts";
import { judgeToolClass, type ToolClass } from "./tool-classes.ts";

export type Judged = {
  verdict: Verdict;
  cwd: string /** The tool only reads; when it is safe it needs no execution. */;
  readsOnly: boolean;
  /** For a read that is safe: the real path that was judged, which alone is to be read. */
  readPath?: string;
};

export type ToolPolicy = {
  judge(tool: string, args: Record<string, unknown>, thread: ThreadRow): Promise<Judged>;
  /** What the card shows under this verdict, drawn against the disk as it is now. */
  describe(
    tool: string,
    args: Record<string, unknown>,
    thread: ThreadRow,
    verdict: Verdict,
  ): Promise<Described>;
};

export type Described = {
  subject: Subject;
  shape: string;
  /** What of the world this was drawn against; see `shown-base.ts`. */
  baseHash: string | undefined;
  /** Why the call cannot be made as the disk is now, in the words of the tool. */
  unable?: {
    why: string;
    /** The agent may read the file, so hearing why tells it nothing that it could not look up. */
    tellable: boolean;
  };
};

export type ToolPolicyParts = {
  dataDir: string;
  /** Whose language commands are written in. */
  shell: ShellKind;
  rulesFor(thread: ThreadRow): RulesInForce;
  isTrusted(workspace: string): boolean;
  filesOf(workspace: string): WorkspaceFiles;
  /** What the person said of a tool of an MCP server, as it is described now. */
  classOfTool?(tool: string): Promise<ToolClass | undefined>;
};

const commandArgs = z.object({ command: z.string() });
const urlArgs = z.object({ url: z.string() });
const pathArgs = z.object({ file_path: z.string().optional(), path: z.string().nullish() });

const readTools = new Set(["ls", "read_file", "glob", "grep"]);
const operations = new Map<string, "write" | "edit" | "delete">([
  ["write_file", "write"],
  ["edit_file", "edit"],
  ["delete", "delete"],
]);

/** Whether this tool changes one file or folder, so that its effect can be drawn as a difference. */
export function changesFile(tool: string): boolean {
  return operations.has(tool);
}

export function createToolPolicy(parts: ToolPolicyParts): ToolPolicy {
  const contextOf = (thread: ThreadRow) => {
    const { workspace } = thread;
    const trusted = parts.isTrusted(workspace);
    return makePolicyContext({ ...parts, workspace, trusted, rules: parts.rulesFor(thread).commands });
  };

  function judgeChange(tool: string, args: Record<string, unknown>, thread: ThreadRow): Judged {
    const operation = tool === "delete" ? "delete" : "write";
    const verdict = judgeAt(operation, pathOf(tool, args), thread);
    return { verdict, cwd: thread.workspace, readsOnly: false };
  }

  /** A link may be turned to another file at any time: where it leads now is judged, and read afterwards. */
  async function judgeRead(tool: string, args: Record<string, unknown>, thread: ThreadRow): Promise<Judged> {
    const asked = pathOf(tool, args);
    const cwd = thread.workspace;
    const verdict = judgeAt("read", asked, thread);
    if (verdict.verdict !== "safe") return { verdict, cwd, readsOnly: true };
    const place = await parts.filesOf(cwd).resolve(asked).catch(whyUnable);
    const readPath = "why" in place ? resolve(cwd, expandHome(asked)) : place.path;
    return { verdict: judgeAt("read", readPath, thread), cwd, readsOnly: true, readPath };
  }

  function judgeAt(operation: "read" | "write" | "delete", path: string, thread: ThreadRow): Verdict {
    const paths = styleOfFiles(process.platform);
    return judgeFile(
      { operation, path },
      { ...contextOf(thread), paths, rules: parts.rulesFor(thread).files },
    );
  }

  return {
    async judge(tool, args, thread) {
      const cwd = thread.workspace;
      const command = commandArgs.safeParse(args);
      if (tool === "execute" && command.success)
        return {
          verdict: await judging.judge(command.data.command, contextOf(thread)),
          cwd,
          readsOnly: false,
        };
      if (readTools.has(tool)) return judgeRead(tool, args, thread);
      if (changesFile(tool)) return judgeChange(tool, args, thread);
      const url = urlArgs.safeParse(args);
      if (tool === "fetch_url" && url.success)
        return { verdict: judgeUrl(url.data.url), cwd, readsOnly: false };
      if (tool === "web_search")
        return { verdict: judgeWebSearch(String(args.query ?? "")), cwd, readsOnly: false };
      if (tool.startsWith("mcp__"))
        return { verdict: judgeToolClass(tool, await parts.classOfTool?.(tool)), cwd, readsOnly: false };
      return {
        verdict: {
          verdict: "new",
          units: [{ text: tool, verdict: "new", reason: "nothing is known about what this tool does" }],
        },
        cwd,
        readsOnly: false,
      };
    },

    async describe(tool, args, thread, verdict) {
      const command = commandArgs.safeParse(args);
      if (tool === "execute" && command.success)
        return {
          subject: { kind: "command", command: command.data.command, cwd: thread.workspace },
          shape: await judging.shape(command.data.command, contextOf(thread)),
          baseHash: undefined,
        };
      const url = urlArgs.safeParse(args);
      if (tool === "fetch_url" && url.success)
        return {
          subject: { kind: "url", url: url.data.url },
          shape: originShape(url.data.url),
          baseHash: undefined,
        };
      if (changesFile(tool)) return describeChange(tool, args, thread, verdict);
      if (readTools.has(tool)) return describeRead(tool, args, thread, verdict);
      return { subject: { kind: "arguments" }, shape: tool, baseHash: undefined };
    },
  };

  async function describeRead(
    tool: string,
    args: Record<string, unknown>,
    thread: ThreadRow,
    verdict: Verdict,
  ): Promise<Described> {
    const asked = pathOf(tool, args);
    const found = await parts.filesOf(thread.workspace).resolve(asked).catch(whyUnable);
    // The verdict was of a file inside; a link that came in between is not what it was about.
    const strayed = !("why" in found) && !found.inside && !mayShowOutside(verdict);
    const place = strayed ? whyUnable(new OutsideWorkspaceError(asked, thread.workspace)) : found;
    const unable = "why" in place ? { ...place, tellable: false } : undefined;
    const subject = fileSubject("read", asked, "why" in place ? undefined : place, thread);
    const baseHash = "why" in place ? baseOfUnable(asked) : baseOfRead(place.path);
    return { subject, shape: `${tool} ${subject.path}`, baseHash, unable };
  }

  async function describeChange(
    tool: string,
    args: Record<string, unknown>,
    thread: ThreadRow,
    verdict: Verdict,
  ): Promise<Described> {
    const files = parts.filesOf(thread.workspace);
    const asked = pathOf(tool, args);
    const plan = await planToolChange(files, tool, args, mayShowOutside(verdict)).catch(whyUnable);
    const operation = operations.get(tool)!;
    if ("why" in plan) {
      const tellable = judgeAt("read", asked, thread).verdict === "safe";
      const subject = fileSubject(operation, asked, undefined, thread);
      const shape = `${tool} ${asked}`;
      return { subject, shape, baseHash: baseOfUnable(asked), unable: { ...plan, tellable } };
    }
    const subject = { ...fileSubject(operation, asked, plan, thread), ...countsOf(plan) };
    return { subject, shape: `${tool} ${subject.path}`, baseHash: baseOfChange(plan) };
  }
}

/** For a card about a file whose content the agent may not know, so that a person has to answer in the tool's place. */
export function explainUnable(why: string): string {
  return `As the disk is now this cannot be made: ${why} Approving it changes nothing but tells the agent so.`;
}

/** @returns the reason a file tool would give. @throws what is no trouble with a file. */
function whyUnable(error: unknown): { why: string } {
  if (error instanceof FileError) return { why: error.message };
  throw error;
}

type FileSubject = Extract<Subject, { kind: "file" }>;

/** Where it really leads, and beside that the path as it was given when a link lies between them. */
function fileSubject(
  operation: FileSubject["operation"],
  asked: string,
  place: { path: string; relativePath: string } | undefined,
  thread: ThreadRow,
): FileSubject {
  const nothing = { added: 0, removed: 0, stale: false };
  if (!place) return { kind: "file", operation, path: asked, ...nothing };
  const isItself = resolve(thread.workspace, expandHome(asked)) === place.path;
  const askedAs = isItself ? undefined : asked;
  return { kind: "file", operation, path: place.relativePath, askedAs, ...nothing };
}

const countsOf = ({ added, removed }: FileChangePlan) => ({ added, removed });

const changeArgs = z.object({
  file_path: z.string(),
  content: z.string().optional(),
  old_string: z.string().optional(),
  new_string: z.string().optional(),
  replace_all: z.boolean().nullish(),
});

/** Works out, against the disk as it is now, what a file tool would do. @throws FileError when it could not do it. */
export function planToolChange(
  files: WorkspaceFiles,
  tool: string,
  args: Record<string, unknown>,
  allowOutside: boolean,
): Promise<FileChangePlan> {
  const given = changeArgs.parse(args);
  return files.planChange(
    {
      operation: operations.get(tool) ?? "write",
      path: given.file_path,
      content: given.content,
      oldString: given.old_string,
      newString: given.new_string,
      replaceAll: given.replace_all ?? false,
    },
    { allowOutside },
  );
}

/**
 * Whether a card under this verdict may be drawn for a file outside of the workspace. One that said so may: the yes then
 * counts for the very path that was shown. A link that was put in place afterwards carries nothing outside.
 */
export const mayShowOutside = leavesWorkspace;

/** The path a file tool means; the searching ones take none, or `/`, for the whole workspace. */
function pathOf(tool: string, args: Record<string, unknown>): string {
  const given = pathArgs.parse(args);
  const path = given.file_path ?? given.path ?? ".";
  return path === "/" && readTools.has(tool) && tool !== "read_file" ? "." : path;
}

function expandHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? homedir() + path.slice(1) : path;
}
