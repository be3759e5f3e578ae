/** What five real agents said on the wire (`testing/wires`), said again over the protocol's own package: cards, answers, tripwire. */
import { readFileSync } from "node:fs";
import type { RequestPermissionRequest, SessionNotification, ToolCallUpdate } from "@agentclientprotocol/sdk";
import { expect, it } from "vitest";
import { aboutOuterCall, isBlank } from "../../../shared/contract/outer-agents.ts";
import type { AgentProcess } from "./agent-process.ts";
import { linkTo } from "./connection.ts";
import { answersAmong, mergeCall, nothingSaid, type SaidOfCall, toOuterCall } from "./merge-call.ts";
import { Tripwire } from "./tripwire.ts";

type Message = { id?: number; method?: string; params?: Record<string, unknown>; result?: unknown };
type Line = { scenario?: string; from?: "agent" | "client"; message?: Message };

/** What was recorded of an agent of another maker, trimmed to what a client reads of it; its scenarios one after the other. */
function linesOf(agent: string): Line[] {
  const text = readFileSync(new URL(`testing/wires/${agent}.jsonl`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

/** The lines of one scenario. */
function recorded(agent: string, scenario: string): Line[] {
  const lines = linesOf(agent);
  const from = lines.findIndex((line) => line.scenario === scenario) + 1;
  const length = lines.slice(from).findIndex((line) => line.scenario !== undefined);
  return length < 0 ? lines.slice(from) : lines.slice(from, from + length);
}

/** The agent's end of the wire, which says what was recorded and waits where it waited for an answer. */
function replay(lines: Line[]) {
  /** The ids of the answers that it got, or that what it asked for was refused. */
  const answers: string[] = [];
  const heard = new TransformStream<Uint8Array, Uint8Array>();
  const said = new TransformStream<Uint8Array, Uint8Array>();
  const writer = said.writable.getWriter();
  const say = (message: Message) =>
    writer.write(new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`));
  let answered = () => {};
  async function perform(promptId: number): Promise<void> {
    for (const { from, message } of lines) {
      // Our one prompt has its end below.
      if (from !== "agent" || message?.method === undefined) continue;
      // Those that asked at once ask one after the other here.
      const isAsked = message.id !== undefined;
      const arrived = new Promise<void>((resolve) => (answered = resolve));
      await say({ ...message, params: { sessionId: "s", ...message.params } });
      if (isAsked) await arrived;
    }
    await say({ id: promptId, result: { stopReason: "end_turn" } });
  }
  async function listen(): Promise<void> {
    let text = "";
    for await (const bytes of heard.readable as unknown as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(bytes);
      const messages = text.split("\n");
      text = messages.pop()!;
      for (const message of messages.map((line) => JSON.parse(line) as Message)) {
        const { id, method } = message;
        if (method === "initialize") await say({ id: id!, result: { protocolVersion: 1 } });
        else if (method === "session/new") await say({ id: id!, result: { sessionId: "s" } });
        else if (method === "session/prompt") void perform(id!);
        else {
          const { outcome } = (message.result ?? {}) as { outcome?: { optionId: string } };
          answers.push(outcome?.optionId ?? "refused");
          answered();
        }
      }
    }
  }
  void listen();
  const process = { input: heard.writable, output: said.readable, allowMore: () => undefined };
  return { process: process as unknown as AgentProcess, answers };
}

/** @param calls the tools of ours that it called meanwhile */
async function play(agent: string, scenario: string, calls: string[] = []) {
  const lines = recorded(agent, scenario);
  const { process, answers } = replay(lines);
  const known = new Map<string, SaidOfCall>();
  const cards: { call: string; isBlank: boolean; yes?: string | undefined; no?: string | undefined }[] = [];
  const judged = new Set<string>();
  const wire = new Tripwire();
  for (const tool of calls) wire.noteCall(tool);
  const hear = (told: ToolCallUpdate) => {
    const said = mergeCall(known.get(told.toolCallId) ?? nothingSaid, told);
    known.set(told.toolCallId, said);
    return said;
  };
  const link = linkTo(
    process,
    () => ({
      onUpdate(told: SessionNotification["update"]) {
        if (told.sessionUpdate !== "tool_call" && told.sessionUpdate !== "tool_call_update") return;
        hear(told);
        judged.add(wire.judge(told));
      },
      async onRequest({ toolCall, options }: RequestPermissionRequest) {
        const { yes, no } = answersAmong(options);
        const call = toOuterCall(agent, hear(toolCall), yes?.name);
        const what = `${call.does} ${aboutOuterCall(call)}`;
        cards.push({ call: what, isBlank: isBlank(call), yes: yes?.optionId, no: no?.optionId });
        return { outcome: { outcome: "selected", optionId: (yes ?? no)!.optionId } };
      },
      onElicitation: async () => ({ action: "decline" }),
      onSignIn: async () => "",
    }),
    () => undefined,
  );
  await link.open("/w", undefined, { mcpServers: [] });
  await link.prompt("s", "go", []);
  return { cards, judged: [...judged], answers };
}

const names = ["claude", "codex", "gemini", "opencode", "qwen"] as const;
/** What each calls a yes for this once, and a no. */
const ids: Record<(typeof names)[number], readonly [string, string]> = {
  claude: ["allow-once", "reject"],
  codex: ["allow_once", "cancel"],
  gemini: ["proceed_once", "cancel"],
  opencode: ["once", "reject"],
  qwen: ["proceed_once", "cancel"],
};
const [hi, a, b] = ["echo hi > one.txt; echo done", "echo a > a.txt", "echo b > b.txt"].map(
  (command) => `execute ${command}`,
) as [string, string, string];

it.each([
  ["claude", "shell", [hi]],
  ["claude", "edit", ["edit /w/e.txt"]],
  ["claude", "parallel", [a, b, "edit /w/c.txt"]],
  ["codex", "write", ["edit /w/w.txt"]],
  ["codex", "parallel", [a, b, "edit /w/c.txt"]],
  ["gemini", "shell", [hi]],
  ["gemini", "write", ["edit /w/w.txt"]],
  ["opencode", "shell", [hi]],
  ["opencode", "edit", ["read /w/e.txt", "edit /w/e.txt"]],
  ["opencode", "parallel", ["edit /w/c.txt", a, b]],
  ["qwen", "shell", [hi]],
  ["qwen", "edit", ["edit /w/e.txt"]],
  ["qwen", "parallel", [a, b, "edit /w/c.txt"]],
] as const)(
  "of %s, when it asks to %s, a card shows each call, gets one answer, and what it does is heard",
  async (agent, scenario, calls) => {
    const { cards, answers, judged } = await play(agent, scenario);
    const [yes, no] = ids[agent];
    expect(cards).toEqual(calls.map((call) => ({ call, isBlank: false, yes, no })));
    // Nothing else that it asks for is given: no file is read or written for it.
    expect(answers.filter((answer) => answer !== "refused")).toEqual(calls.map(() => yes));
    expect(judged).toContain("past");
  },
);

it.each(["claude", "codex", "opencode"])(
  "of %s, governed, our tools are known, and one that was not called is not",
  async (agent) => {
    const { judged } = await play(agent, "mcp", ["execute", "write_file"]);
    expect(judged).toContain("ours");
    expect(judged).not.toContain("past");
    expect(judged).not.toContain("pretended");
    expect((await play(agent, "mcp", [])).judged).toContain("pretended");
  },
);

it.each(names)(
  "of %s, every answer that was ever recorded is the one that a card's yes or no would send",
  async (agent) => {
    const scenarios = new Set(linesOf(agent).flatMap(({ scenario }) => scenario ?? []));
    let checked = 0;
    for (const scenario of scenarios) {
      const chosen = recorded(agent, scenario).flatMap(({ from, message }) => {
        const { outcome } = (message?.result ?? {}) as { outcome?: { optionId?: string } };
        return from === "client" && outcome?.optionId !== undefined ? [outcome.optionId] : [];
      });
      const { cards } = await play(agent, scenario);
      for (const id of chosen) expect(cards.flatMap(({ yes, no }) => [yes, no])).toContain(id);
      checked += chosen.length;
    }
    expect(checked).toBeGreaterThan(4);
  },
);
