/** Asks a person before a program of others starts in a folder whose files it obeys, once for what these files say. */
import { join } from "node:path";
import { z } from "zod";
import type { OuterAgent } from "../../../shared/contract/outer-agents.ts";
import { messageOf } from "../../../shared/message-of.ts";
import { outerToolPrefix } from "../../../shared/tools/tools.ts";
import { createJsonReader, writeJson } from "../../agent-files/json-file.ts";
import { bareCall } from "../../gate/call.ts";
import { passGate } from "../../gate/gate.ts";
import type { Journal } from "../../gate/journal.ts";
import { type RunContext, TurnStopped } from "../../gate/run-context.ts";
import type { Work } from "../source.ts";
import { type FolderSettings, readFolderSettings } from "./folder-settings.ts";
import { toOuterCall } from "./merge-call.ts";

/** What a person looked at, for which agent. */
export type KnownStarts = {
  has(agentId: string, digest: string): boolean;
  add(agentId: string, digest: string): void;
};

const knownSchema = z.record(z.string(), z.array(z.string()));
/** The oldest is asked about again. */
const mostKnown = 200;

/** In a file of the data folder, readable by its owner only; of one that does not read nothing is known. */
export function createKnownStarts(dataDir: string): KnownStarts {
  const path = join(dataDir, "outer-starts.json");
  const read = createJsonReader();
  const all = () => {
    const file = read(path);
    return (file.kind === "value" && knownSchema.safeParse(file.value).data) || {};
  };
  return {
    has: (agentId, digest) => all()[agentId]?.includes(digest) ?? false,
    add: (agentId, digest) =>
      writeJson(path, { ...all(), [agentId]: [...(all()[agentId] ?? []), digest].slice(-mostKnown) }, 0o600),
  };
}

/** Where the key of such a question differs from that of anything that an agent asks. */
const startMark = ":outer-start:";

/** Whether a card asks about the start of a program, and nothing that it does. */
export const asksToStart = ({ callKey }: { callKey: string }): boolean => callKey.includes(startMark);

/**
 * Goes on at once where the folder says nothing to the program, or nothing new. What it says is read again after each yes:
 * a person may take days, and the yes was to what the card showed.
 * @throws TurnStopped when it is not to be started, or the reason of the run's signal
 */
export async function askToStart(
  { journal, run, known }: { journal: Journal; run: RunContext; known: KnownStarts },
  { thread, turn }: Work,
  agent: OuterAgent,
  isGoverned: boolean,
): Promise<void> {
  for (;;) {
    const settings = readOrStop(thread.workspace, agent, isGoverned);
    if (settings === undefined || known.has(agent.id, settings.digest)) return;
    const key = `${thread.id}:${turn.id}${startMark}${settings.digest}`;
    const place = {
      threadId: thread.id,
      turnId: turn.id,
      itemId: key,
      parentItemId: undefined,
      agentPath: [],
    };
    const tool = `${outerToolPrefix}execute`;
    const call = {
      ...bareCall({ ...place, key, toolCallId: key, tool, args: toArgs(agent, settings) }),
      rule: { allowedDecisions: ["approve" as const, "reject" as const] },
    };
    const act = async () => {
      known.add(agent.id, settings.digest);
      return { text: "It may start.", isError: false, original: undefined };
    };
    await passGate({ journal, call, run, act });
    // What was allowed, also before a crash, stands in the file.
    if (!known.has(agent.id, settings.digest))
      throw new TurnStopped("stopped", `${agent.name} was not started, as you decided.`);
  }
}

function readOrStop(workspace: string, agent: OuterAgent, isGoverned: boolean): FolderSettings | undefined {
  try {
    return readFolderSettings(workspace, agent, isGoverned);
  } catch (error) {
    throw new TurnStopped("failed", `${agent.name} was not started: ${messageOf(error)}`);
  }
}

function toArgs({ name, command, args }: OuterAgent, { files }: FolderSettings): Record<string, unknown> {
  const content = files.map(({ file, text }) => ({
    type: "content" as const,
    content: { type: "text" as const, text: `${file}\n\n${text}` },
  }));
  const said = {
    kind: "execute" as const,
    title: `Start ${[command, ...args].join(" ")}, which obeys these files of the folder: they can make it run programs before it asks anything, and decide what it asks about`,
    places: files.map(({ file }) => file),
    content,
  };
  return { ...toOuterCall(name, said, "Start it") };
}
