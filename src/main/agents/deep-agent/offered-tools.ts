/** The built-in agent's own tools for agents of others: the same tools over the same backend, called outside of a graph. */
import type { StructuredTool } from "@langchain/core/tools";
import { createFilesystemMiddleware } from "deepagents";
import { shortenText } from "../../../shared/wire/shorten.ts";
import type { ToolOutput } from "../../gate/call.ts";
import type { RunContext } from "../../gate/run-context.ts";
import type { Effects } from "../source.ts";
import { toOutput } from "./gate-middleware.ts";
import { findArgumentProblem, schemaOf, withAbsolutePath } from "./gated-call.ts";
import { runInContext } from "./graph-run.ts";
import { createMoveFile } from "./tools/move-file.ts";
import { WorkspaceBackend } from "./workspace-backend.ts";

export type OfferedTool = { name: string; description: string; argsSchema: Record<string, unknown> };

type Args = Record<string, unknown>;

export type OfferedTools = {
  list: readonly OfferedTool[];
  /** The arguments as the gate is to see them, or why the call cannot be made at all. */
  read(tool: string, args: Args): Promise<{ args: Args } | { problem: string }>;
  /** Acts, inside of what the gate began. */
  call(run: RunContext, tool: string, args: Args): Promise<ToolOutput<string>>;
};

/** What an agent reads of one result; the console has the whole of a command's output. */
const mostResultBytes = 200_000;

/** @returns the tools for files and commands of one workspace; each refuses to act outside of an execution (I2). */
export function createOfferedTools(effects: Effects, workspace: string): OfferedTools {
  const backend = new WorkspaceBackend(effects, workspace);
  const tools = new Map(
    [...filesAndCommands(backend), createMoveFile(backend)].map((tool) => [tool.name, tool]),
  );
  return {
    list: [...tools.values()].map((tool) => ({
      name: tool.name,
      description: tool.description,
      argsSchema: schemaOf(tool) ?? { type: "object" },
    })),
    async read(name, given) {
      const tool = tools.get(name);
      if (tool === undefined) return { problem: `There is no tool named ${name}.` };
      const args = withAbsolutePath(name, given, workspace);
      const problem = await findArgumentProblem({ tool: name, args }, tool);
      return problem === undefined ? { args } : { problem };
    },
    call: (run, name, args) =>
      runInContext(run, async () => {
        const call = { type: "tool_call" as const, id: name, name, args };
        const { text, isError } = toOutput(await tools.get(name)!.invoke(call, { signal: run.signal }));
        const shown = shortenText(text, mostResultBytes);
        return { text: shown, isError, original: shown };
      }),
  };
}

function filesAndCommands(backend: WorkspaceBackend): StructuredTool[] {
  return (createFilesystemMiddleware({ backend }).tools ?? []) as unknown as StructuredTool[];
}
