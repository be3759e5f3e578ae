/** The real hook, run by the system's own shell, over the real socket into a real queue; the agent is whoever starts it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hangGuardMs } from "../../shared/testing/hang-guard.ts";
import { hookCommand, hookFile } from "../agents/terminal/hook-script.ts";
import { createTerminalDesk, type TerminalDesk } from "../agents/terminal/terminal-desk.ts";
import type { ApprovalRow } from "../approvals/approval-row.ts";
import { SourceHost } from "../engine/testing/source-host.ts";
import { createHookDoor, type HookDoor } from "./hook-door.ts";

let host: SourceHost;
let desk: TerminalDesk;
let door: HookDoor;
let problems: unknown[];
const agents: ChildProcess[] = [];

const socket = () => join(host.root, "terminal-agents.sock");

function openDesk(): void {
  // Each look at the clock is a second later, so that nobody asks too often.
  let at = Date.now();
  const now = () => (at += 1_000);
  desk = createTerminalDesk({ ...host.engine.journal, now }, host.changes);
  const onProblem = (problem: unknown) => void problems.push(problem);
  door = createHookDoor({ dataDir: host.root, desk, onProblem, onError: onProblem });
}

async function open(): Promise<void> {
  door.update(true);
  await expect.poll(() => existsSync(join(host.root, hookFile))).toBe(true);
}

describe.skipIf(process.platform === "win32")("an agent in a terminal", () => {
  beforeEach(async () => {
    problems = [];
    host = new SourceHost();
    await host.open();
    openDesk();
    await open();
  });
  afterEach(async () => {
    for (const agent of agents.splice(0)) agent.kill("SIGKILL");
    door.close();
    await host.close();
    host.remove();
    expect(problems).toEqual([]);
  });

  const asSaid = {
    hook_event_name: "PermissionRequest",
    session_id: "s",
    cwd: "/work",
    tool_name: "Bash",
  };
  type Change = { tool_input?: object; hook_event_name?: string; else?: string };

  /** Runs the hook as an agent does: by the line of its settings, in a shell of its own. */
  function run(change: Change = {}, name: "claude-code" | "codex" = "claude-code") {
    const child = spawn("sh", ["-c", hookCommand(host.root, name)], { stdio: ["pipe", "pipe", "pipe"] });
    agents.push(child);
    child.stdin.on("error", () => undefined);
    child.stdin.end(JSON.stringify({ ...asSaid, tool_input: { command: "make" }, ...change }));
    const out: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => out.push(piece));
    child.stderr.on("data", (piece: Buffer) => out.push(piece));
    const end = once(child, "close").then(([code]) => ({ code, out: Buffer.concat(out).toString().trim() }));
    return { child, end };
  }

  const pending = () => host.stores.approvals.pending();
  const row = (asked: ApprovalRow) => host.stores.approvals.get(asked.id)!;

  async function asked(): Promise<ApprovalRow> {
    await host.until(() => pending().length === 1);
    return pending()[0]!;
  }

  const silence = { code: 0, out: "" };
  const allowed = {
    hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } },
  };

  describe("the hook of an agent in a terminal", () => {
    it("prints what a person decided, and the record has it", async () => {
      const first = run();
      await host.decide(await asked(), { type: "approve" });
      const { code, out } = await first.end;
      expect([code, JSON.parse(out)]).toEqual([0, allowed]);
      const second = run({}, "codex");
      const question = await asked();
      await host.decide(question, { type: "reject", message: "not 'that'" });
      const decision = JSON.parse((await second.end).out).hookSpecificOutput.decision;
      expect(decision).toEqual({ behavior: "deny", message: "not 'that'" });
      await host.until(() => row(question).consumedAt !== undefined);
      expect(host.stores.ledger.ofThread(question.threadId)).toHaveLength(1);
    });

    it.each(["SIGTERM", "SIGKILL"] as const)(
      "hangs up when its agent ends it with %s, and the card leaves",
      async (signal) => {
        const { child } = run();
        const question = await asked();
        child.kill(signal);
        await host.until(() => row(question).status === "cancelled");
        expect(host.stores.ledger.ofThread(question.threadId)).toEqual([]);
      },
    );

    it("hangs up when nobody reads what it prints any more, as after the death of its agent", async () => {
      const { child, end } = run();
      const question = await asked();
      child.stdout.destroy();
      await host.until(() => row(question).status === "cancelled");
      expect((await end).code).not.toBe(2);
    });

    it("ends when its call ended, as after a yes in the terminal that its agent tells it nothing of", async () => {
      const { end } = run();
      const question = await asked();
      expect(await run({ hook_event_name: "PostToolUse" }).end).toEqual(silence);
      expect([await end, row(question).status]).toEqual([silence, "cancelled"]);
    });

    it("prints nothing and ends with 0 where no console answers, which leaves the question to the agent", async () => {
      door.close();
      expect(await run().end).toEqual(silence);
      await open();
      // As a killed host leaves it: the hook is there and a socket, and nobody listens.
      const hook = readFileSync(join(host.root, hookFile));
      door.close();
      writeFileSync(join(host.root, hookFile), hook);
      const listen = `require("node:net").createServer().listen(${JSON.stringify(socket())}, () => console.log())`;
      const killed = spawn(process.execPath, ["-e", listen], { stdio: ["ignore", "pipe", "inherit"] });
      await once(killed.stdout, "data");
      killed.kill("SIGKILL");
      await once(killed, "close");
      expect([await run().end, existsSync(socket())]).toEqual([silence, true]);
    });

    it("asks nobody but the console that wrote it, and prints no answer of another", async () => {
      const hook = readFileSync(join(host.root, hookFile));
      door.close();
      writeFileSync(join(host.root, hookFile), hook);
      const heard: string[] = [];
      const other = createServer((request, response) => {
        heard.push(request.url ?? "");
        response.end(request.url === "/ready" ? "" : JSON.stringify(allowed));
      });
      await once(other.listen(socket()), "listening");
      const ends = await run().end;
      other.close();
      expect([ends, heard]).toEqual([silence, ["/ready"]]);
    });

    it("prints nothing when the door is shut while it waits", async () => {
      const { end } = run();
      await asked();
      door.update(false);
      expect(await end).toEqual(silence);
      expect([pending(), existsSync(socket()), existsSync(join(host.root, hookFile))]).toEqual([
        [],
        false,
        false,
      ]);
    });

    it("carries what ends a line in some languages and not in JSON, as it was said, there and back", async () => {
      const ends = "one\u2028two\u2029three\r\n\u0085four";
      const { end } = run({ tool_input: { command: ends } });
      const question = await asked();
      expect(question.args).toEqual({ command: ends });
      await host.decide(question, { type: "reject", message: ends });
      const { out } = await end;
      // One line of output is one answer, for whatever counts as a line to who reads it.
      expect(out.split(/[\r\n\u2028\u2029\u0085]/)).toHaveLength(1);
      expect(JSON.parse(out).hookSpecificOutput.decision).toEqual({ behavior: "deny", message: ends });
    });

    it.each([
      ["no JSON", "{"],
      ["another form of JSON", "[]"],
      ["no tool", '{"hook_event_name":"PermissionRequest","session_id":"s","cwd":"/","tool_input":{}}'],
      ["half a letter", JSON.stringify({ ...asSaid, tool_input: {} }).replace('"Bash"', '"\\ud800"')],
      ["bytes that are no text", Buffer.from([0xff, 0xfe, 0x00])],
    ])("asks nothing where an agent says %s", async (_what, said) => {
      const child = spawn("sh", ["-c", hookCommand(host.root, "codex")], { stdio: ["pipe", "pipe", "pipe"] });
      agents.push(child);
      child.stdin.end(said);
      let out = "";
      child.stdout.on("data", (piece) => (out += piece));
      const [code] = await once(child, "close");
      expect({ code, out: out.trim() }).toEqual(silence);
      expect(pending()).toEqual([]);
    });

    it("asks nothing that cannot be asked", async () => {
      expect(await run({ tool_input: { text: "x".repeat(300_000) } }).end).toEqual(silence);
      expect(await run({ else: "x".repeat(2_100_000) }).end).toEqual(silence);
      expect(pending()).toEqual([]);
    });
  });

  /** COUNTERSIGN_RACES sets how many; each starts the hook as an agent does. */
  const races = Number(process.env.COUNTERSIGN_RACES ?? 20);

  it("has one end for each race between an answer here and one in the terminal", {
    timeout: hangGuardMs + races * 3_000,
  }, async () => {
    const ends = { here: 0, there: 0 };
    for (let turn = 0; turn < races; turn++) {
      const { child, end } = run();
      const question = await asked();
      const decided = () => host.decide(question, { type: "approve" });
      const moves = [() => child.kill("SIGKILL"), decided];
      if (turn % 2) moves.reverse();
      const first = moves[0]!();
      // From both at once to one long before the other: each step is a turn of the loop.
      for (let step = 0; step < turn % 5; step++) await new Promise(setImmediate);
      if (turn % 10 === 8) await host.until(() => row(question).status === "cancelled");
      await Promise.all([first, moves[1]!()]);
      const { out } = await end;
      await host.until(() => row(question).status === "cancelled" || row(question).consumedAt !== undefined);
      const isHere = row(question).consumedAt !== undefined;
      // What was printed was decided here; what left the queue was printed to nobody.
      if (out !== "") expect([JSON.parse(out), isHere]).toEqual([allowed, true]);
      ends[isHere ? "here" : "there"] += 1;
    }
    expect([ends.here > 0, ends.there > 0, pending()]).toEqual([true, true, []]);
  });

  describe("the door for hooks", () => {
    it("is open to this user alone", () => {
      const modes = [socket(), join(host.root, hookFile)].map((path) => statSync(path).mode & 0o077);
      expect(modes).toEqual([0, 0]);
    });

    it("answers nothing but a question, and outlives whatever else is said to it", async () => {
      const say = async (text: string) => {
        const guest = connect(socket());
        guest.on("error", () => undefined);
        guest.end(text);
        let heard = "";
        guest.on("data", (piece) => (heard += piece));
        await once(guest, "close");
        return heard.split("\r\n")[0];
      };
      const tries = [
        "GET /ask/codex",
        "POST /",
        "POST /ask/../ready",
        "DELETE /ready/x",
        "POST /ask/codex/took",
      ];
      for (const each of tries)
        expect(await say(`${each} HTTP/1.0\r\n\r\n`), each).toBe("HTTP/1.1 404 Not Found");
      expect(await say("\0\n".repeat(1_000))).toBe("HTTP/1.1 400 Bad Request");
      expect(await say("POST /ask/other HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}")).toBe("HTTP/1.1 200 OK");
      const { end } = run();
      await host.decide(await asked(), { type: "approve" });
      expect((await end).code).toBe(0);
    });
  });
});
