/** Puts a tool call to the policy: which part of it judges this tool, with which rules, in which folder. */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { z } from "zod";
import type { Subject } from "../../shared/contract/approvals.ts";
import type { Verdict } from "../../shared/contract/decisions.ts";
import type { FileChangePlan } from "../files/file-change.ts";
import type { WorkspaceFiles } from "../files/workspace-files.ts";
import { judgeCommand } from "../policy/judge-command.ts";
import { judgeFile } from "../policy/judge-file.ts";
import { resolveRealPath } from "../policy/resolve-path.ts";
import type { ShellContext } from "../policy/shell-context.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import type { RulesInForce } from "./rule-book.ts";

export type Judged = {
  verdict: Verdict;
  cwd: string /** The tool only reads; when it is safe it needs no execution. */;
  readsOnly: boolean;
};

export type ToolPolicy = {
  judge(tool: string, args: Record<string, unknown>, thread: ThreadRow): Promise<Judged>;
  /** What the card shows under this verdict, and for a file change the hash its diff is drawn against. */
  describe(
    tool: string,
    args: Record<string, unknown>,
    thread: ThreadRow,
    verdict: Verdict,
  ): Promise<{ subject: Subject; shape: string; baseHash: string | null | undefined }>;
};

export type ToolPolicyParts = {
  dataDir: string;
  rulesFor(thread: ThreadRow): RulesInForce;
  isTrusted(workspace: string): boolean;
  filesOf(workspace: string): WorkspaceFiles;
  /** Whether a URL leads to this machine or its network; resolved anew at the connection. */
  classifyUrl(url: string): Promise<"public" | "private" | "unresolvable">;
};

const commandArgs = z.object({ command: z.string() });
const urlArgs = z.object({ url: z.string() });
const pathArgs = z.object({ file_path: z.string().optional(), path: z.string().nullish() });

const readTools = new Set(["ls", "read_file", "glob", "grep"]);
const operations: Record<string, "write" | "edit" | "delete"> = {
  write_file: "write",
  edit_file: "edit",
  delete: "delete",
};

export function createToolPolicy(parts: ToolPolicyParts): ToolPolicy {
  const contextOf = (thread: ThreadRow): ShellContext => ({
    workspace: thread.workspace,
    cwd: thread.workspace,
    home: homedir(),
    trusted: parts.isTrusted(thread.workspace),
    rules: parts.rulesFor(thread).commands,
    resolvePath: resolveRealPath,
    protectedDirs: [parts.dataDir],
    platform: process.platform === "win32" ? "powershell" : "bash",
  });

  function judgePath(tool: string, args: Record<string, unknown>, thread: ThreadRow): Judged {
    const given = pathArgs.parse(args);
    const path = pathIn(thread.workspace, given.file_path ?? given.path ?? ".");
    const operation = operations[tool] === undefined ? "read" : tool === "delete" ? "delete" : "write";
    const verdict = judgeFile(
      { operation, path },
      { ...contextOf(thread), rules: parts.rulesFor(thread).files },
    );
    return { verdict, cwd: thread.workspace, readsOnly: operation === "read" };
  }

  async function judgeUrl(url: string, cwd: string): Promise<Judged> {
    const place = await parts.classifyUrl(url);
    const verdict = place === "public" ? "new" : "ask";
    const reason =
      place === "public"
        ? "fetches a page from the internet"
        : place === "private"
          ? "leads to this machine or its own network"
          : "its address could not be looked up";
    return { verdict: { verdict, units: [{ text: url, verdict, reason }] }, cwd, readsOnly: false };
  }

  return {
    async judge(tool, args, thread) {
      const cwd = thread.workspace;
      const command = commandArgs.safeParse(args);
      if (tool === "execute" && command.success)
        return { verdict: judgeCommand(command.data.command, contextOf(thread)), cwd, readsOnly: false };
      if (readTools.has(tool) || operations[tool]) return judgePath(tool, args, thread);
      const url = urlArgs.safeParse(args);
      if (tool === "fetch_url" && url.success) return judgeUrl(url.data.url, cwd);
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
          shape: commandShape(command.data.command),
          baseHash: undefined,
        };
      const url = urlArgs.safeParse(args);
      if (tool === "fetch_url" && url.success)
        return { subject: { kind: "url", url: url.data.url }, shape: "fetch_url", baseHash: undefined };
      const operation = operations[tool];
      if (operation) return describeChange(tool, args, thread, verdict);
      if (readTools.has(tool)) {
        const given = pathArgs.parse(args);
        const path = given.file_path ?? given.path ?? ".";
        return {
          subject: { kind: "file", operation: "read", path, added: 0, removed: 0, stale: false },
          shape: `${tool} ${path}`,
          baseHash: undefined,
        };
      }
      return { subject: { kind: "arguments" }, shape: tool, baseHash: undefined };
    },
  };

  async function describeChange(
    tool: string,
    args: Record<string, unknown>,
    thread: ThreadRow,
    verdict: Verdict,
  ) {
    const operation = operations[tool]!;
    const files = parts.filesOf(thread.workspace);
    const plan = await planToolChange(files, tool, args, mayLeaveWorkspace(verdict)).catch(() => undefined);
    const path = plan?.relativePath ?? String(args.file_path ?? "");
    const subject: Subject = {
      kind: "file",
      operation,
      path,
      added: plan?.added ?? 0,
      removed: plan?.removed ?? 0,
      stale: false,
    };
    return { subject, shape: `${tool} ${path}`, baseHash: plan ? baseOf(plan) : undefined };
  }
}

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
      operation: operations[tool] ?? "write",
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
 * Whether a person's yes to this verdict reaches beyond the workspace and into the own network. Only a card that said
 * it always asks does; a link or a redirect put in place afterwards must not carry an everyday yes outside.
 */
export function mayLeaveWorkspace(verdict: Verdict): boolean {
  return verdict.verdict === "ask";
}

/** Which file a diff was drawn against, and what was in it; another file behind the same path is not the same base. */
export function baseOf(plan: Pick<FileChangePlan, "path" | "beforeHash">): string {
  return `${plan.beforeHash ?? "absent"} ${plan.path}`;
}

/** Absolute as the file tools understand it: relative to the workspace, or absolute already. */
function pathIn(workspace: string, path: string): string {
  return isAbsolute(path) ? path : join(workspace, path);
}

/** Programs whose first argument says what they do; of any other the arguments are just what it does it to. */
const withSubcommand =
  /^(git|gh|npm|npx|pnpm|yarn|bun|deno|cargo|go|make|pip|uv|poetry|docker|podman|kubectl|helm|terraform|brew|apt|apt-get|systemctl)$/;

/** Program, sub-command and flags: `touch a` and `touch b` have one shape, `npm test` and `npm publish` do not. */
function commandShape(command: string): string {
  const [program = "", ...words] = command.trim().split(/\s+/);
  const flags = words.filter((word) => word.startsWith("-"));
  const joins = words.filter((word) => /^(&&|\|\|?|;|>>?|<)$/.test(word));
  const subcommand = withSubcommand.test(program)
    ? words.filter((word) => !word.startsWith("-")).slice(0, 1)
    : [];
  return [program, ...subcommand, ...flags.sort(), ...joins].join(" ");
}
