/** Agents while they are made or changed: drafts that outlive leaving the view, and the check before saving. */
import { create } from "zustand";
import { agentFileSchema } from "../../../shared/contract/agent-file.ts";
import type { Agent, InterruptRule } from "../../../shared/contract/agents.ts";
import type { Output } from "../../../shared/contract/contract.ts";
import { type FieldProblem, nameProblems } from "../../../shared/contract/field-problem.ts";
import type { AgentId } from "../../../shared/ids.ts";
import { lastSegment } from "../../base/words.ts";
import { strings } from "./strings.ts";

/** A rule of its own for one tool, beside yes and no. */
export type CustomRule = Extract<InterruptRule, object>;

/** A tool that an agent may be given: one of ours, or of a server it names. */
export type KnownTool = Output<"agents.list">["tools"][number];

/** Which agent is open: a new one, a copy of one, or one that exists. */
export type Opened = { kind: "new" } | { kind: "copy" | "agent"; id: string };

/** The last part of the address; `undefined` for the list. */
export function parseOpened(id: string | undefined): Opened | undefined {
  if (id === "new") return { kind: "new" };
  const [, kind, agent] = /^(copy|agent):(.+)$/.exec(id ?? "") ?? [];
  return agent ? { kind: kind === "copy" ? "copy" : "agent", id: agent } : undefined;
}

export function formatOpened(opened: Opened): string {
  return opened.kind === "new" ? "new" : `${opened.kind}:${opened.id}`;
}

export type AgentDraft = {
  agent: Agent;
  /** What was stored when the changes began; `undefined` for a new agent. */
  base: Agent | undefined;
};

/** Unsaved changes by the address of what they belong to. */
export const useAgentDrafts = create<Record<string, AgentDraft>>(() => ({}));

export function setAgentDraft(key: string, draft: AgentDraft | undefined): void {
  const { [key]: _old, ...others } = useAgentDrafts.getState();
  useAgentDrafts.setState(draft ? { ...others, [key]: draft } : others, true);
}

/** Whether the file was changed by somebody else since the changes began; saving would then undo that. */
export function isOutdated(opened: Opened, draft: AgentDraft | undefined, agents: readonly Agent[]): boolean {
  if (!draft || opened.kind !== "agent") return false;
  const stored = agents.find((one) => one.id === opened.id);
  return JSON.stringify(stored) !== JSON.stringify(draft.base);
}

/** The ids that a new agent cannot have, those of refused files included. */
export function takenIds({ agents, problems }: Pick<Output<"agents.list">, "agents" | "problems">): string[] {
  return [...agents.map((agent) => agent.id), ...problems.map(({ file }) => idOfFile(file))];
}

/** The agent a file in the data folder is about. */
export function idOfFile(file: string): string {
  return lastSegment(file).replace(/\.json$/, "");
}

/** What the form starts with. @returns undefined when the agent is gone. */
export function startDraft(opened: Opened, agents: readonly Agent[]): Agent | undefined {
  if (opened.kind === "new") return { ...blank };
  const agent = agents.find((one) => one.id === opened.id);
  if (!agent || opened.kind === "agent") return agent;
  return { ...agent, id: blank.id, builtIn: false, name: strings.copyName(agent.name) };
}

/** An id is only given when it is saved; until then the draft has one that stands for none. */
const noId = "new" as AgentId;
const blank: Agent = {
  id: noId,
  name: "",
  builtIn: false,
  prompt: "",
  mcpServers: [],
  subAgents: [],
  interruptOn: {},
};

/** @returns the agent ready to be saved, or which fields are wrong. */
export function checkAgent(draft: unknown): { agent: Agent } | { problems: FieldProblem[] } {
  const parsed = agentFileSchema.safeParse(draft);
  return parsed.success ? { agent: parsed.data } : { problems: nameProblems(parsed.error) };
}

/** The agent with an id made of its name, unlike any that is taken, if it has none yet. */
export function giveId(agent: Agent, taken: readonly string[]): Agent {
  if (agent.id !== noId) return agent;
  const base =
    agent.name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-|-$/g, "")
      .slice(0, 80) || "agent";
  let id = base;
  for (let count = 2; id === noId || taken.includes(id); count += 1) id = `${base}-${count}`;
  return { ...agent, id: id as AgentId };
}
