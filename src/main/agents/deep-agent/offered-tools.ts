/** The built-in agent's own tools for agents of others: the same tools over the same backend, called outside of a graph. */
import { createHash } from "node:crypto";
import type { StructuredTool } from "@langchain/core/tools";
import { createFilesystemMiddleware } from "deepagents";
import type { InterruptRule } from "../../../shared/contract/agents.ts";
import { shortenText } from "../../../shared/wire/shorten.ts";
import type { ToolOutput } from "../../gate/call.ts";
import type { RunContext } from "../../gate/run-context.ts";
import { faceOf, type ToolFace } from "../../gate/tool-face.ts";
import type { Effects } from "../source.ts";
import { toOutput } from "./gate-middleware.ts";
import { findArgumentProblem, schemaOf, withAbsolutePath } from "./gated-call.ts";
import { runInContext } from "./graph-run.ts";
import { askHuman, createOwnTools } from "./tools/own-tools.ts";
import { WorkspaceBackend } from "./workspace-backend.ts";

export type OfferedTool = {
  /** By this the agent calls it: short enough for whatever it puts before it. */
  name: string;
  /** By this the gate, the policy and the record know it. */
  tool: string;
  description: string;
  argsSchema: Record<string, unknown>;
  /** What its server says of it, for one of a server. */
  face: ToolFace | undefined;
  /** Set where calling it is no more than asking a person. */
  rule: InterruptRule | undefined;
};

type Args = Record<string, unknown>;

export type OfferedTools = {
  list: readonly OfferedTool[];
  /** @param name as the agent calls it, or as the gate knows it */
  find(name: string): OfferedTool | undefined;
  /** The arguments as the gate is to see them, or why the call cannot be made at all. */
  read(tool: string, args: Args): Promise<{ args: Args } | { problem: string }>;
  /** Acts, inside of what the gate began. */
  call(run: RunContext, tool: string, args: Args): Promise<ToolOutput<string>>;
};

/** What an agent reads of one result; the console has the whole of a command's output. */
const mostResultBytes = 200_000;

/** Some models take 64 characters, and some agents put their name for our server before it. */
const mostNameChars = 45;

/**
 * @param more what else it is given: the web, and the tools of servers
 * @returns the tools for files and commands of one workspace, and these; each refuses to act outside of an execution (I2).
 */
export function createOfferedTools(
  effects: Effects,
  workspace: string,
  more: readonly StructuredTool[] = [],
): OfferedTools {
  const backend = new WorkspaceBackend(effects, workspace);
  const all = [...filesAndCommands(backend), ...createOwnTools(backend), ...more];
  const tools = new Map(all.map((tool) => [tool.name, tool]));
  const list = [...tools.values()].map(toOffered);
  return {
    list,
    find: (name) => list.find((one) => one.name === name) ?? list.find((one) => one.tool === name),
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

function toOffered(one: StructuredTool): OfferedTool {
  const { name: tool, description } = one;
  const mark = createHash("sha256").update(tool).digest("hex").slice(0, 8);
  return {
    tool,
    name: tool.length <= mostNameChars ? tool : `${tool.slice(0, mostNameChars - mark.length - 1)}_${mark}`,
    description,
    argsSchema: schemaOf(one) ?? { type: "object" },
    face: faceOf(one),
    // The answer is all that comes of it.
    rule: tool === askHuman.name ? { allowedDecisions: ["respond"] } : undefined,
  };
}

function filesAndCommands(backend: WorkspaceBackend): StructuredTool[] {
  return (createFilesystemMiddleware({ backend }).tools ?? []) as unknown as StructuredTool[];
}
