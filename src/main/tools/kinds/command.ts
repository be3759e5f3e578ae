/** Commands: the policy judges the exact text in a thread of its own, and the card shows that text. */
import { z } from "zod";
import type { PolicyContext } from "../../policy/policy-context.ts";
import { judging } from "../../rules/judging-thread.ts";
import type { ThreadRow } from "../../threads/thread-store.ts";
import { describeArguments, type ToolBehaviour } from "../tool-behaviour.ts";
import { judgeUnknown } from "./foreign.ts";

const commandArgs = z.object({ command: z.string() });

/**
 * Judged beside the host's own loop; arguments that do not read ask.
 *
 * @param whyNeverStarted says of a text that no shell would start it, so that nobody is asked about it
 */
export function createCommandKind(
  contextOf: (thread: ThreadRow) => PolicyContext,
  whyNeverStarted: (command: string) => string | undefined,
): ToolBehaviour {
  return {
    isFree: false,
    async judge({ tool, args, thread }, isCardNext) {
      const given = commandArgs.safeParse(args);
      if (!given.success) return { verdict: judgeUnknown(tool) };
      const { command } = given.data;
      if (isCardNext) return judging.judgeForCard(command, contextOf(thread));
      return { verdict: await judging.judge(command, contextOf(thread)) };
    },
    async describe(call, _verdict, shape) {
      const given = commandArgs.safeParse(call.args);
      if (!given.success) return describeArguments(call);
      const { command } = given.data;
      const why = whyNeverStarted(command);
      return {
        ...(why !== undefined && { unable: { why, tellable: true } }),
        subject: { kind: "command", command, cwd: call.thread.workspace },
        shape: shape ?? (await judging.shape(command, contextOf(call.thread))),
        baseHash: undefined,
      };
    },
  };
}
