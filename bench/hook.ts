/** Times the hook of agents in terminals, run as they run it, against a served host: how soon either place knows what happened in the other. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { hookCommand, hookFile } from "../src/main/agents/terminal/hook-script.ts";
import { newCommandId } from "../src/main/base/command-id.ts";
import type { Approval } from "../src/shared/contract/approvals.ts";
import type { ApprovalId } from "../src/shared/ids.ts";
import { inFolder, percentile, timeOf } from "./measuring.ts";
import { type BenchOptions, type Figure, type Findings, figure, noteOnLoad } from "./result.ts";
import { buildHost, type ServedHost, serveHost } from "./served-host.ts";

/** Four times as many requests as rounds: fewer than the door lets come at once. */
const roundsOf = { quick: 6, full: 28 };

type Hook = { child: ChildProcess; end: Promise<void> };
type Queue = {
  /** Resolves with the one card that waits. */
  asked(): Promise<Approval>;
  left(id: ApprovalId): Promise<void>;
};
type Times = Record<"ready" | "asked" | "answered" | "killed" | "unread" | "ended", number[]>;

export async function run({ quick }: BenchOptions): Promise<Findings> {
  await buildHost();
  const rounds = quick ? roundsOf.quick : roundsOf.full;
  return inFolder((folder) => measureIn(folder, rounds));
}

async function measureIn(folder: string, rounds: number): Promise<Findings> {
  const [dataDir, workspace] = [join(folder, "data"), join(folder, "workspace")];
  mkdirSync(workspace);
  mkdirSync(dataDir, { mode: 0o700 });
  writeFileSync(join(dataDir, "settings.json"), JSON.stringify({ terminalAgents: true }), { mode: 0o600 });
  const host = await serveHost(dataDir, workspace);
  try {
    while (!existsSync(join(dataDir, hookFile))) await wait(10);
    const times = await measure(host, dataDir, rounds);
    return { figures: judge(times), notes: describe(rounds) };
  } finally {
    await host.stop();
  }
}

/** Every way of asking and ending once a round, so that all have the same minutes of the machine. */
async function measure(host: ServedHost, dataDir: string, rounds: number): Promise<Times> {
  const times: Times = { ready: [], asked: [], answered: [], killed: [], unread: [], ended: [] };
  const queue = followQueue(host);
  const ready = readyOnly(dataDir);
  const timed = async (name: keyof Times, work: () => Promise<unknown>) =>
    times[name].push(await timeOf(work));
  /** A hook whose request stands in the queue. */
  const ask = async () => {
    let hook!: Hook;
    let card!: Approval;
    await timed("asked", async () => {
      hook = startHook(dataDir, "PermissionRequest");
      card = await queue.asked();
    });
    return { ...hook, card };
  };
  for (let round = 0; round < rounds; round += 1) {
    await timed("ready", () => startShell(ready).end);
    const answered = await ask();
    await timed("answered", async () => {
      await approve(host, answered.card);
      await answered.end;
    });
    await queue.left(answered.card.id);
    const killed = await ask();
    await timed("killed", async () => {
      killed.child.kill("SIGKILL");
      await queue.left(killed.card.id);
    });
    const unread = await ask();
    await timed("unread", async () => {
      unread.child.stdout?.destroy();
      await queue.left(unread.card.id);
    });
    const ended = await ask();
    await timed("ended", async () => {
      startHook(dataDir, "PostToolUse");
      await queue.left(ended.card.id);
    });
  }
  return times;
}

/** What a page is told of the queue, as it is told. */
export function followQueue({ client }: Pick<ServedHost, "client">): Queue {
  const waiting = new Map<ApprovalId, Approval>();
  let changed = Promise.withResolvers<void>();
  void (async () => {
    for await (const item of client.watch("console.watch", {})) {
      if (item.kind !== "approvals" && item.kind !== "changes") continue;
      for (const one of item.approvals) {
        if (one.status === "pending") waiting.set(one.id, one);
        else waiting.delete(one.id);
      }
      changed.resolve();
      changed = Promise.withResolvers();
    }
  })().catch(() => undefined);
  return {
    async asked() {
      while (waiting.size === 0) await changed.promise;
      return [...waiting.values()][0]!;
    },
    async left(id) {
      while (waiting.has(id)) await changed.promise;
    },
  };
}

export async function approve(
  { client }: Pick<ServedHost, "client">,
  { id, digest }: Approval,
): Promise<void> {
  const input = {
    commandId: newCommandId(),
    items: [{ id, digest }],
    decision: { type: "approve" as const },
  };
  const { outcomes } = await client.call("approvals.decide", { ...input, graceMs: 0 });
  if (!outcomes[0]?.ok) throw new Error("The decision was refused.");
}

function startHook(dataDir: string, event: "PermissionRequest" | "PostToolUse"): Hook {
  const hook = startShell(hookCommand(dataDir, "claude-code"));
  const said = { session_id: "bench", cwd: "/work", tool_name: "Bash", tool_input: { command: "make" } };
  hook.child.stdin?.end(JSON.stringify({ hook_event_name: event, ...said }));
  return hook;
}

function startShell(line: string): Hook {
  const child = spawn("sh", ["-c", line], { stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.on("error", () => undefined);
  child.stdout.resume();
  return { child, end: once(child, "close").then(() => undefined) };
}

/** The hook up to the line in which it asks: what shell and curl cost before anything is asked. */
function readyOnly(dataDir: string): string {
  const lines = readFileSync(join(dataDir, hookFile), "utf8").split("\n");
  return lines.map((line) => (line.startsWith("  exec ") ? "  :" : line)).join("\n");
}

function judge(times: Times): Figure[] {
  const p95 = (name: keyof Times) => percentile(times[name], 0.95);
  const compared = (name: string, of: keyof Times, maxValue: number) =>
    figure({
      name,
      unit: "ms",
      value: p95(of),
      baseline: {
        name: "the same hook asking whether a console is there, and no more,",
        value: p95("ready"),
      },
      maxValue,
    });
  return [
    compared("from the start of the hook until a page has the request in its queue, p95", "asked", 100),
    compared("from a decision here until the hook has printed it and ended, p95", "answered", 1_000),
    compared("from a hook that its agent ends until the card has left, p95", "killed", 1_000),
    compared(
      "from the death of an agent, whose hook nobody reads, until the card has left, p95",
      "unread",
      1_000,
    ),
    compared(
      "from the end of a call that was allowed in its terminal until the card has left, p95",
      "ended",
      1_000,
    ),
  ];
}

function describe(rounds: number): string[] {
  return [
    `${rounds} rounds of each, ${4 * rounds} requests in all: the line of an agent's settings, run by sh, with the system's curl, into a host that is served as \`npm run serve\` does it; the queue is what a client on its WebSocket is told.`,
    "Nothing is said of the time between a yes in Claude Code's terminal and the end of that call: it tells its hooks nothing of the yes.",
    noteOnLoad(),
  ];
}
