/** Builds a deep agent, for all threads that work alike: every sub-agent is declared here, so that each one has the gate (I6). */
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { StructuredTool } from "@langchain/core/tools";
import { type BaseCheckpointSaver, StateSchema } from "@langchain/langgraph";
import {
  CompositeBackend,
  createDeepAgent,
  type SubAgent as DeepSubAgent,
  type SandboxBackendProtocolV2,
  skillsMetadataValue,
} from "deepagents";
import { type AgentMiddleware, createMiddleware, todoListMiddleware } from "langchain";
import type { Agent, InterruptOn, SubAgent } from "../../../shared/contract/agents.ts";
import type { ModelRef } from "../../../shared/contract/models.ts";
import type { Journal } from "../../gate/journal.ts";
import type { ModelSlots } from "../model-slots.ts";
import { createGateMiddleware } from "./gate-middleware.ts";
import { createModelMiddleware } from "./model-middleware.ts";
import { OverflowBackend, type OverflowOf } from "./overflow-backend.ts";
import { createPatchToolCalls } from "./patch-tool-calls.ts";
import type { Graph } from "./run-turn.ts";

type Told = { file: string; text: string };

export type AgentParts = {
  agent: Agent;
  model: ModelRef;
  /** Makes the client for a model; called once per distinct model of the agent and its sub-agents. */
  chatModel(ref: ModelRef): Promise<BaseChatModel>;
  /** Tools besides the backend's: questions, the web, MCP servers. */
  tools: StructuredTool[];
  backend: SandboxBackendProtocolV2;
  /** Where a thread's large tool results and moved history go. */
  overflowOf: OverflowOf;
  workspace: string;
  /** Where its commands run, what reads them, such as "bash 5.2", and whether some are confined. */
  surroundings: { platform: NodeJS.Platform; shell: string; mayConfine?: boolean };
  /** What the folder says, where the person trusts it, and what they keep in their home: as they looked at it, whatever is there by now. */
  memory: { folder: readonly Told[]; skills: string[]; own: readonly Told[] };
  checkpointer: BaseCheckpointSaver;
  modelCallLimit: number;
  slots: ModelSlots;
  journal: Journal;
};

const generalPurpose: SubAgent = {
  name: "general-purpose",
  description:
    "Does a self-contained piece of work with the same tools and reports back what it found or did.",
  prompt:
    "You do one task that another agent gives you, on your own, and answer with a complete report. Nobody sees anything but your last message.",
};

/** @throws what the model's client throws when it cannot be made, such as a missing key. */
export async function buildAgent(parts: AgentParts): Promise<Graph> {
  const { agent } = parts;
  const declared = agent.subAgents.some((one) => one.name === generalPurpose.name)
    ? agent.subAgents
    : [generalPurpose, ...agent.subAgents];
  const tools = selectTools(parts.tools, agent.tools);
  const skills = parts.memory.skills.length > 0 ? parts.memory.skills : undefined;
  const subagents = await Promise.all(
    declared.map(
      async (sub): Promise<DeepSubAgent> => ({
        name: sub.name,
        description: sub.description,
        systemPrompt: `${sub.prompt}\n\n${describeSurroundings(parts)}`,
        model: await parts.chatModel(sub.model ?? parts.model),
        tools: selectTools(tools, sub.tools),
        middleware: middlewareFor(
          parts,
          { ...agent.interruptOn, ...sub.interruptOn },
          sub.model ?? parts.model,
          narrowTools(agent.tools, sub.tools),
        ),
        skills,
      }),
    ),
  );
  return createDeepAgent({
    name: "countersign",
    model: await parts.chatModel(parts.model),
    systemPrompt: [
      agent.prompt,
      describeSurroundings(parts),
      ...parts.memory.own.map(quoteOwn),
      ...parts.memory.folder.map(quoteFolder),
    ].join("\n\n"),
    tools,
    subagents,
    middleware: [
      ...(skills ? [forgetSkills] : []),
      ...middlewareFor(parts, agent.interruptOn, parts.model, agent.tools),
    ],
    backend: withOverflow(parts),
    checkpointer: parts.checkpointer,
    skills,
  }) as unknown as Graph;
}

/** What the package's plan would look at after each answer, in a step of its own, was looked at as the answer came (check-answer.ts). */
function middlewareFor(
  parts: AgentParts,
  interruptOn: InterruptOn,
  model: ModelRef,
  allowedTools: string[] | undefined,
): AgentMiddleware[] {
  return [
    createGateMiddleware(interruptOn, allowedTools, parts.journal),
    createPatchToolCalls(),
    createModelMiddleware(model, allowedTools, parts.modelCallLimit, parts.slots, parts.journal),
    { ...todoListMiddleware(), afterModel: undefined },
  ] as AgentMiddleware[];
}

/** A sub-agent never has a tool that its agent does not have. */
function narrowTools(agent: string[] | undefined, sub: string[] | undefined): string[] | undefined {
  return agent && sub ? sub.filter((name) => agent.includes(name)) : (sub ?? agent);
}

function selectTools(tools: StructuredTool[], names: string[] | undefined): StructuredTool[] {
  return names ? tools.filter((tool) => names.includes(tool.name)) : tools;
}

const systems: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "macOS",
  win32: "Windows",
  linux: "Linux",
};

const aboutConfinement =
  "Commands run confined unless the person says otherwise: those that only read write nothing, others write in the workspace alone and to its repositories only as git itself; they have an own /tmp, no network, no credentials and no processes but their own, and what they start ends with them. What needs the network or more is asked about.";

function describeSurroundings({
  workspace,
  surroundings: { platform, shell, mayConfine },
}: AgentParts): string {
  return [
    `You work in the folder ${workspace}; commands start there, and file tools take paths relative to it or absolute paths.`,
    `Commands run on ${systems[platform] ?? platform} and are read by ${shell}; write them for that shell and system.`,
    "Commands, file changes and web access may wait until the person approves them. A rejected call tells you why; do not repeat it unchanged.",
    ...(mayConfine ? [aboutConfinement] : []),
  ].join("\n");
}

/** What stands in the person's home holds in every folder; what a folder says comes behind it. */
function quoteOwn({ file, text }: Told): string {
  return `The person's own instructions for all folders (~/${file}):\n\n${text}`;
}

function quoteFolder({ file, text }: Told): string {
  return `The instructions of this folder (${file}):\n\n${text}`;
}

/** The package lists skills once in a thread; what a turn is told of them is what the folder says as it begins. */
const forgetSkills = createMiddleware({
  name: "ForgetSkills",
  stateSchema: new StateSchema({ skillsMetadata: skillsMetadataValue }),
  beforeAgent: () => ({ skillsMetadata: null }),
}) as AgentMiddleware;

function withOverflow({ backend, overflowOf }: AgentParts): CompositeBackend {
  return new CompositeBackend(backend, {
    "/large_tool_results/": new OverflowBackend((threadId) => overflowOf(threadId).results),
    "/conversation_history/": new OverflowBackend((threadId) => overflowOf(threadId).history),
  });
}
