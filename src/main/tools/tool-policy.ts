/** Puts a tool call to the behaviour of its kind, with the rules and the folder of its thread. */
import type { ShellKind } from "../../shared/command-shell.ts";
import type { Reach } from "../../shared/contract/approvals.ts";
import type { Verdict } from "../../shared/contract/decisions.ts";
import type { Subject } from "../../shared/contract/subjects.ts";
import { kindOf, type ToolKind } from "../../shared/tools/tools.ts";
import type { WorkspaceFiles } from "../files/workspace-files.ts";
import { styleOfFiles } from "../paths/own-style.ts";
import { judgeFile } from "../policy/judge-file.ts";
import { judging } from "../rules/judging-thread.ts";
import { makePolicyContext } from "../rules/policy-context.ts";
import type { RulesInForce } from "../rules/rule-entries.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import type { FileKindParts } from "./file-card.ts";
import { createChangeKind } from "./kinds/change.ts";
import { createCommandKind } from "./kinds/command.ts";
import { createForeignKind } from "./kinds/foreign.ts";
import { freeKind } from "./kinds/free.ts";
import { questionKind } from "./kinds/question.ts";
import { createReadKind } from "./kinds/read.ts";
import { webKind } from "./kinds/web.ts";
import type { Described, Judged, ToolBehaviour } from "./tool-behaviour.ts";
import type { ToolClass } from "./tool-classes.ts";

export type ToolPolicy = {
  /** It has no effect of its own, and asks only where an agent is told to ask about it. */
  isFree(tool: string): boolean;
  /** @param isCardNext its card may be drawn right after that, by `describe` */
  judge(
    tool: string,
    args: Record<string, unknown>,
    thread: ThreadRow,
    isCardNext?: boolean,
  ): Promise<Judged>;
  /** What the card shows under this verdict, drawn against the disk as it is now. @param shape as `judge` said it just now */
  describe(
    tool: string,
    args: Record<string, unknown>,
    thread: ThreadRow,
    verdict: Verdict,
    shape?: string,
  ): Promise<Described>;
  /** What the action of a card would reach as things are now. */
  reach(subject: Subject, verdict: Verdict, thread: ThreadRow): Promise<Reach>;
};

export type ToolPolicyParts = {
  dataDir: string;
  /** Whose language commands are written in. */
  shell: ShellKind;
  rulesFor(thread: ThreadRow): RulesInForce;
  isTrusted(workspace: string): boolean;
  filesOf(workspace: string): WorkspaceFiles;
  /** Why no shell here would start a command of this text. */
  whyNeverStarted?(command: string): string | undefined;
  /** What the person said of a tool of an MCP server, as it is described now. */
  classOfTool?(tool: string): Promise<ToolClass | undefined>;
};

/** @returns one that reads rules, trust and disk again at each call. */
export function createToolPolicy(parts: ToolPolicyParts): ToolPolicy {
  const contextOf = (thread: ThreadRow) => {
    const { workspace } = thread;
    const trusted = parts.isTrusted(workspace);
    return makePolicyContext({ ...parts, workspace, trusted, rules: parts.rulesFor(thread).commands });
  };
  const files: FileKindParts = {
    filesOf: parts.filesOf,
    judgeAt(operation, path, thread) {
      const paths = styleOfFiles(process.platform);
      const rules = parts.rulesFor(thread).files;
      return judgeFile({ operation, path }, { ...contextOf(thread), paths, rules });
    },
  };
  const kinds = {
    command: createCommandKind(contextOf, (command) => parts.whyNeverStarted?.(command)),
    change: createChangeKind(files),
    read: createReadKind(files),
    web: webKind,
    delegate: freeKind,
    plan: freeKind,
    question: questionKind,
    foreign: createForeignKind({
      classOf: parts.classOfTool,
      judgeCommand: (command, thread) => judging.judge(command, contextOf(thread)),
      judgeAt: files.judgeAt,
    }),
  } satisfies Record<ToolKind, ToolBehaviour>;
  return {
    isFree: (tool) => kinds[kindOf(tool)].isFree,
    judge: (tool, args, thread, isCardNext) => kinds[kindOf(tool)].judge({ tool, args, thread }, isCardNext),
    reach: (subject, verdict, thread) => judging.reach(subject, verdict, contextOf(thread)),
    describe: (tool, args, thread, verdict, shape) =>
      kinds[kindOf(tool)].describe({ tool, args, thread }, verdict, shape),
  };
}
