/** Starts the program of an outer agent for a thread, confined where that can be had, and hears it while nobody asks it for anything. */
import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { OuterAgent, OuterOffer } from "../../../shared/contract/outer-agents.ts";
import { quote } from "../../../shared/foreign-words.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { messageOf } from "../../../shared/message-of.ts";
import { shortenText } from "../../../shared/wire/shorten.ts";
import { agentFencesOf } from "../../sandbox/agent-confinement.ts";
import { checkMounts, writablePlaces } from "../../sandbox/confinement.ts";
import type { Hidden } from "../../sandbox/hidden-places.ts";
import { seccompProgram } from "../../sandbox/seccomp-program.ts";
import type { ThreadRow } from "../../threads/thread-store.ts";
import type { OfferedTools } from "../deep-agent/offered-tools.ts";
import type { SourceServices } from "../source.ts";
import type { AgentProgram } from "./agent-process.ts";
import type { Heard } from "./connection.ts";
import { doorFolder } from "./door-files.ts";
import { type GovernedAgent, openGovernedAgent } from "./governed-agent.ts";
import { isAnother, type WayToGovern } from "./governing.ts";
import type { KeptSessions } from "./kept-session.ts";
import { type LiveAgent, startAgent } from "./live-agent.ts";
import { noteMode } from "./note-mode.ts";
import type { Running } from "./outer-turn.ts";
import { type Chosen, leftBy } from "./session-options.ts";
import { NotSignedIn, type SignIn } from "./sign-in.ts";
import { tellThread } from "./tell-thread.ts";
import { ActedPast } from "./tripwire.ts";
import { TurnBounds } from "./turn-text.ts";

type Told = Parameters<Heard["onUpdate"]>[0];

/** One that runs or is being started. */
export type Live = {
  program: AgentProgram;
  /** The MCP servers whose tools it was given. */
  servers: OuterAgent["mcpServers"];
  /** As the person chose them, and with what has to be where it is governed. */
  options: OuterAgent["options"];
  chosen: Chosen;
  governed?: GovernedAgent;
  isConfined: boolean;
  started: Promise<LiveAgent>;
};

/** How an agent is governed, and the curl that brings it our tools. */
export type Way = { way: WayToGovern; curl: string };

/** What a start needs of the room in which all programs are kept. */
export type Started = {
  dataDir: string;
  kept: KeptSessions;
  services: SourceServices;
  live: Map<ThreadId, Live>;
  /** The program that confines, where the person wants it and it can be relied on. */
  sandbox(): Promise<string | undefined>;
  /** What it does not see then, beside credentials of the home. */
  hidden(): Hidden;
  /** How an agent is governed now; `undefined` where it only asks. */
  wayFor(agent: OuterAgent): Way | undefined;
  /** Our tools, where this agent is given them. */
  offeredTo(agent: OuterAgent, thread: ThreadRow): Promise<OfferedTools | undefined>;
  end(threadId: ThreadId): Promise<void>;
  /** Keeps what this agent lets be chosen. */
  noteOffers(agentId: string, offers: OuterOffer[]): void;
};

/** Nobody asked it for anything: what it does itself then is past our tools as well, and its mode stays what was chosen. */
function hearAtRest(
  { kept, services, live, end, bounds }: Started & { bounds: TurnBounds },
  { id }: ThreadRow,
  agent: OuterAgent,
  told: Told,
): void {
  const { governed, chosen } = live.get(id) ?? {};
  const left =
    leftBy(told, chosen ?? {}) ?? tooManyModes(() => noteMode({ kept, services, bounds }, id, told));
  if (left !== undefined) {
    tellThread(services, id, left);
    void end(id);
  }
  if (governed === undefined) return;
  if (told.sessionUpdate !== "tool_call" && told.sessionUpdate !== "tool_call_update") return;
  if (governed.tripwire.judge(told) !== "past" || kept.of(id).actedPast) return;
  const { message: problem } = new ActedPast(agent.name, told.title ?? told.toolCallId);
  kept.note(id, { actedPast: true });
  tellThread(services, id, problem);
  services.journal.threads.update(id, { status: "failed", problem });
  void end(id);
}

/** @returns why, where it is too much */
function tooManyModes(note: () => void): string | undefined {
  try {
    note();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/**
 * A program that has just been started for a thread, and its session.
 * @throws TurnStopped that says why it could not be started, or the signal's reason
 */
export async function startRunning(
  scene: Started,
  thread: ThreadRow,
  agent: OuterAgent,
  {
    environment,
    program,
    signIn,
  }: { environment: Record<string, string>; program: AgentProgram; signIn: SignIn },
  signal: AbortSignal,
): Promise<Running> {
  const { dataDir, kept, services, live } = scene;
  const { id } = thread;
  const way = scene.wayFor(agent);
  const tools = await scene.offeredTo(agent, thread);
  const sandbox = way && (await scene.sandbox());
  const governed = way && tools && (await openGovernedAgent({ ...way, dataDir }, tools));
  const chosen = { ...agent.options, ...governed?.governing.options };
  const bounds = new TurnBounds();
  const begin = (confined: AgentProgram | undefined) => {
    const started = startAgent({
      program,
      confined,
      environment,
      signIn,
      signal,
      guard: services.effects.shell,
      threadId: id,
      earlier: kept.of(id).sessionId,
      governing: governed?.governing,
      chosen,
      atRest: (told) => hearAtRest({ ...scene, bounds }, thread, agent, told),
      onStarted: (process) => kept.note(id, { process }),
    });
    const isConfined = confined !== undefined;
    const { mcpServers: servers, options } = agent;
    live.set(id, { program, servers, options, isConfined, chosen, started, ...(governed && { governed }) });
    return started;
  };
  const hidden = scene.hidden();
  const confined = confine({ sandbox, dataDir, hidden, environment, governed }, program);
  const opened = await begin(confined?.program).catch(async (error: unknown) => {
    if (confined?.program === undefined || signal.aborted || error instanceof NotSignedIn) throw error;
    // It may want something else: only if it runs as it is that was why.
    const asItIs = await begin(undefined);
    tellThread(services, id, notConfined(agent.name, messageOf(error)));
    return asItIs;
  });
  if (confined?.why !== undefined) tellThread(services, id, notConfined(agent.name, confined.why));
  const { sessionId, remembers, program: named, version, mode, offers } = opened.session;
  kept.note(id, { sessionId, version, mode });
  if (governed && isAnother(agent, named) && !kept.of(id).actedPast) {
    kept.note(id, { actedPast: true });
    tellThread(services, id, another(agent.name, named));
  }
  scene.noteOffers(agent.id, offers);
  if (!remembers) tellThread(services, id, forgetful(agent.name));
  return { agent: opened, governed, chosen };
}

/** @returns the program as it runs confined, or why it cannot; nothing where it is not to be confined */
function confine(
  { sandbox, governed, ...place }: Partial<ConfinedParts> & Omit<ConfinedParts, "sandbox" | "governed">,
  program: AgentProgram,
): { program?: AgentProgram; why?: string } | undefined {
  if (sandbox === undefined || governed === undefined) return undefined;
  try {
    return { program: confineProgram(program, { sandbox, governed, ...place }) };
  } catch (error) {
    return { why: messageOf(error) };
  }
}

const notConfined = (name: string, why: string) =>
  `${name} could not be run confined (${shortenText(why, 1_000)}), so it is governed and not confined.`;

const another = (name: string, named = "nothing") =>
  `${name} has the name of a program that is governed here, and calls itself ${quote(named)}. Whether its own tools are gone is not known, so this thread promises no more than an agent that acts by itself and decides itself what it asks about.`;

const forgetful = (name: string) =>
  `${name} could not go on with its earlier session, so it begins without knowing what was said in this thread.`;

type ConfinedParts = {
  /** Bubblewrap, which was probed. */
  sandbox: string;
  dataDir: string;
  hidden: Hidden;
  environment: Readonly<Record<string, string>>;
  governed: Pick<GovernedAgent, "governing" | "doorFiles">;
};

const bash = ["/bin/bash", "--noprofile", "--norc", "-c"] as const;

/**
 * What it keeps of its own is made where it is not there yet, since nothing can be made beside it later.
 * @throws Error that says why it cannot be confined
 */
function confineProgram(
  { command, args, cwd }: AgentProgram,
  { sandbox, dataDir, hidden, environment, governed }: ConfinedParts,
): AgentProgram {
  const { ownPlaces } = governed.governing;
  // It opens the socket of our tools and, as any program on Node does, those between itself and what it starts.
  const filter = seccompProgram(process.arch, { sockets: true });
  if (filter === undefined) throw new Error(`its filter is not known for ${process.arch}`);
  const home = realpathSync(environment.HOME ?? homedir());
  const own = ownPlaces({ ...environment, HOME: home }).map(made);
  const workspace = realpathSync(cwd);
  const fences = agentFencesOf({ workspace, home, dataDir, hidden, own, shown: governed.doorFiles });
  const writable = writablePlaces(fences);
  const filterFile = join(doorFolder(dataDir), "filter");
  writeFileSync(filterFile, filter, { mode: 0o600 });
  const [shell, ...words] = bash;
  // What the check says is no message of the protocol.
  const inside = `{ ${checkMounts}\n} >&2; exec "$@"`;
  return {
    command: shell,
    args: [
      ...[...words, 'exec "$@" 9<"$0"', filterFile, sandbox, ...fences.flat(), "--setenv", "TMPDIR", "/tmp"],
      ...["--seccomp", "9", "--", ...bash, inside, "inside", String(writable.length), ...writable],
      ...[command, ...args],
    ],
    cwd,
  };
}

/** A name with an ending behind its first letter is that of a file, which is made with nothing in it that says anything. */
function made(path: string): string {
  if (!basename(path).slice(1).includes(".")) mkdirSync(path, { recursive: true, mode: 0o700 });
  else {
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) writeFileSync(path, "{}", { flag: "wx", mode: 0o600 });
  }
  return realpathSync(path);
}
