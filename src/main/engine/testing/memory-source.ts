/** The smallest agent source: each line of a message, such as `run ls`, is a command, and nothing is kept beyond the run. */
import type { MessageId } from "../../../shared/ids.ts";
import { type AgentSource, fewAbilities, type SourceServices, type Work } from "../../agents/source.ts";
import type { GatedCall, ToolOutput } from "../../gate/call.ts";
import { passGate } from "../../gate/gate.ts";
import { requireExecution } from "../../gate/run-context.ts";

/** A run that goes on walks through all lines again; the gate hands back what had finished. */
export function createMemorySource(
  { journal, effects }: SourceServices,
  how: Partial<AgentSource["can"]> = {},
): AgentSource {
  async function runCommand({ thread, turn }: Work, command: string): Promise<ToolOutput<string>> {
    const execution = requireExecution("a command");
    const { executionId, mayChangeFiles, width, signal } = execution;
    const origin = { threadId: thread.id, turnId: turn.id, executionId };
    const how = { command, workspace: thread.workspace, mayChangeFiles, width, signal };
    const { output, exitCode, cancelled } = await effects.commands.run({ ...origin, ...how });
    execution.cancelled = cancelled;
    return { text: output, isError: exitCode !== 0, original: output };
  }

  return {
    can: { ...fewAbilities, ...how },
    async run(work, run) {
      const { thread, turn } = work;
      const said: string[] = [];
      for (const [index, line] of turn.text.split("\n").entries()) {
        const [, command] = /^run (.+)$/.exec(line) ?? [];
        if (command === undefined) continue;
        const act = (args: GatedCall["args"]) => runCommand(work, String(args.command));
        const passed = await passGate({ journal, call: toCall(work, index, command), run, act });
        // Whoever was stopped in a call makes no other.
        run.signal.throwIfAborted();
        said.push(passed.kind === "output" ? passed.original : passed.text);
      }
      const itemId = `${turn.id}:said` as MessageId;
      const message = { itemId, turnId: turn.id, agentPath: [], text: said.join("\n"), partial: false };
      journal.log.append(thread.id, [{ type: "message.finished", ...message }]);
      return "done";
    },
    forget: () => Promise.resolve(),
  };
}

function toCall({ thread, turn }: Work, index: number, command: string): GatedCall {
  const key = `${thread.id}:${turn.id}:${index}`;
  return {
    key,
    threadId: thread.id,
    turnId: turn.id,
    itemId: key,
    parentItemId: undefined,
    agentPath: [],
    toolCallId: key,
    tool: "execute",
    args: { command },
    rule: undefined,
    argsSchema: undefined,
    face: undefined,
  };
}
