import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StructuredTool } from "@langchain/core/tools";
import { tool } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { GateThread } from "../agents/deep-agent/testing/gate-thread.ts";

const approve = { type: "approve" } as const;

describe("a read that nobody is asked about", () => {
  it("is bound to the real path that was judged, and to none in what comes after it", async () => {
    const thread: GateThread = new GateThread({
      judge: ({ args }) => {
        const asked = String(args.file_path);
        return asked.endsWith("/c") ? "free" : { reads: asked.replace(thread.workspace, `${root}/real`) };
      },
    });
    const root = realpathSync(thread.workspace);
    const at = (path: string) => `${thread.workspace}${path}`;
    mkdirSync(at("/real"));
    for (const path of ["/real/a", "/real/b", "/elsewhere", "/c"])
      writeFileSync(at(path), `content of ${path.replace("/real", "")}`);
    symlinkSync("real/a", at("/a"));
    // When it was judged it led to `/real/b`.
    symlinkSync("elsewhere", at("/b"));
    expect(await thread.send(`read ${at("/a")}\nread ${at("/b")}\nread ${at("/c")}`)).toEqual({
      kind: "done",
    });
    expect((await thread.results()).map(({ text }) => text)).toEqual([
      expect.stringContaining("content of /a"),
      expect.stringContaining("nothing was read"),
      expect.stringContaining("content of /c"),
    ]);
  });
});

describe("a call that asks", () => {
  it("waits, while its siblings go on", async () => {
    const thread = new GateThread({
      judge: ({ args }) => (String(args.command).startsWith("quick") ? "run" : undefined),
    });
    const file = join(thread.workspace, "a.txt");
    writeFileSync(file, "content of a");
    const end = thread.send(`run slow\nrun quick\nread ${file}`);
    const finished = () => thread.journal.events.filter((event) => event.type === "toolCall.finished");
    await thread.journal.until(() => finished().length === 2 && thread.journal.pending.length === 1);
    expect(thread.commands).toEqual(["quick"]);
    await thread.journal.decide("slow", approve);
    expect(await end).toEqual({ kind: "done" });
    expect(thread.commands).toEqual(["quick", "slow"]);
    expect((await thread.results()).map(({ text }) => text)).toEqual([
      expect.stringContaining("ran slow"),
      expect.stringContaining("ran quick"),
      expect.stringContaining("content of a"),
    ]);
  });

  it("is also one that was let through and may not run unasked any more when it starts", async () => {
    const thread = new GateThread({ judge: () => "lapsed" });
    const end = thread.send("run make");
    await thread.journal.until(() => thread.journal.pending.length === 1);
    const [asked] = thread.journal.pending;
    expect([thread.commands, asked?.width, asked?.description]).toEqual([
      [],
      "workspace",
      expect.stringContaining("without a question"),
    ]);
    await thread.journal.decide("make", approve);
    expect(await end).toEqual({ kind: "done" });
    expect([thread.commands, thread.journal.ledger.map(({ by }) => by)]).toEqual([["make"], ["person"]]);
  });

  it("runs exactly as shown when it is approved", async () => {
    const thread = new GateThread();
    const end = thread.send("run deploy --now");
    await thread.journal.until(() => thread.journal.pending.length === 1);
    expect(thread.commands).toEqual([]);
    await thread.journal.decide("deploy", approve);
    expect(await end).toEqual({ kind: "done" });
    expect(thread.commands).toEqual(["deploy --now"]);
    expect(thread.journal.ledger).toEqual([{ tool: "execute", decision: "approve", by: "person" }]);
  });

  it("does not begin when the run ends before its start is on disk, and goes on with the same decision", async () => {
    const thread = new GateThread();
    const { promise, resolve } = Promise.withResolvers<void>();
    thread.journal.onDisk = promise;
    const end = thread.send("run deploy");
    await thread.journal.until(() => thread.journal.pending.length === 1);
    await thread.journal.decide("deploy", approve);
    await thread.journal.until(() => thread.journal.executions.length === 1);
    thread.stop();
    resolve();
    expect(await end).toMatchObject({ kind: "stopped" });
    await thread.journal.until(() => thread.journal.executions.length === 0);
    expect(thread.commands).toEqual([]);
    expect(await thread.goOn()).toEqual({ kind: "done" });
    expect(thread.commands).toEqual(["deploy"]);
    expect(thread.journal.questions).toHaveLength(1);
  });

  it("runs with the arguments a person wrote when it is edited", async () => {
    const thread = new GateThread();
    const end = thread.send("run deploy production");
    await thread.journal.until(() => thread.journal.pending.length === 1);
    await thread.journal.decide("deploy", { type: "edit", args: { command: "deploy staging" } });
    expect(await end).toEqual({ kind: "done" });
    expect(thread.commands).toEqual(["deploy staging"]);
    expect((await thread.results())[0]?.text).toContain("ran deploy staging");
    expect(thread.journal.ledger).toEqual([{ tool: "execute", decision: "edit", by: "person" }]);
  });

  it("does not run what a person wrote when that is never allowed", async () => {
    const thread = new GateThread({
      judge: ({ args }) => (args.command === "format disk" ? { refuse: "Never allowed." } : undefined),
    });
    const end = thread.send("run deploy");
    await thread.journal.until(() => thread.journal.pending.length === 1);
    await thread.journal.decide("deploy", { type: "edit", args: { command: "format disk" } });
    expect(await end).toEqual({ kind: "done" });
    expect(thread.commands).toEqual([]);
    expect(await thread.results()).toEqual([{ tool: "execute", text: "Never allowed.", isError: true }]);
  });

  it("does not run when it is rejected, and the model reads why", async () => {
    const thread = new GateThread();
    const end = thread.send("run deploy\n\nrun test");
    await thread.journal.until(() => thread.journal.pending.length === 1);
    await thread.journal.decide("deploy", { type: "reject", message: "Test it first." });
    await thread.journal.until(() => thread.journal.pending.length === 1);
    await thread.journal.decide("test", approve);
    expect(await end).toEqual({ kind: "done" });
    expect(thread.commands).toEqual(["test"]);
    expect((await thread.results())[0]).toEqual({
      tool: "execute",
      text: expect.stringContaining("Test it first."),
      isError: true,
    });
  });

  it("takes a person's answer for its result, and does not run", async () => {
    const thread = new GateThread();
    const end = thread.send("run cat /secret");
    await thread.journal.until(() => thread.journal.pending.length === 1);
    await thread.journal.decide("secret", { type: "respond", answer: "It holds nothing you need." });
    expect(await end).toEqual({ kind: "done" });
    expect(thread.commands).toEqual([]);
    expect(await thread.results()).toEqual([
      { tool: "execute", text: "It holds nothing you need.", isError: false },
    ]);
  });

  it("does exactly what was decided of each in a batch of three, whatever the order", async () => {
    const thread = new GateThread();
    const end = thread.send("run one\nrun two\nrun three");
    await thread.journal.until(() => thread.journal.pending.length === 3);
    await thread.journal.decide("three", approve);
    await thread.journal.decide("one", { type: "edit", args: { command: "one safely" } });
    await thread.journal.decide("two", { type: "reject" });
    expect(await end).toEqual({ kind: "done" });
    expect(thread.commands.toSorted()).toEqual(["one safely", "three"]);
    expect((await thread.results()).map(({ text, isError }) => [text.split("\n")[0], isError])).toEqual([
      ["ran one safely", false],
      [expect.stringContaining("rejected"), true],
      ["ran three", false],
    ]);
  });

  it("has its result written down as whose text it is, whatever became of it", async () => {
    const thread = new GateThread({
      judge({ tool, args }) {
        if (tool === "read_file") return "free";
        return String(args.command) === "never" ? { refuse: "never" } : undefined;
      },
    });
    const file = join(thread.workspace, "a.txt");
    writeFileSync(file, "content of a");
    const end = thread.send(`read ${file}\nrun never\nrun one\nrun two\nrun three`);
    await thread.journal.until(() => thread.journal.pending.length === 3);
    await thread.journal.decide("one", approve);
    await thread.journal.decide("two", { type: "reject", message: "not that" });
    await thread.journal.decide("three", { type: "respond", answer: "it is done" });
    expect(await end).toEqual({ kind: "done" });
    const { database } = thread.journal.running().journal;
    const rows = database
      .prepare(
        "SELECT c.args, r.source FROM tool_calls c JOIN readings r ON r.thread_id = c.thread_id AND r.item_id = c.key",
      )
      .all() as { args: string; source: string }[];
    const sources = rows.map(({ args, source }) => [Object.values(JSON.parse(args))[0], source]);
    expect(new Map(sources as [string, string][])).toEqual(
      new Map([
        [file, "workspace"],
        ["never", "workspace"],
        ["one", "outside"],
        ["two", "person"],
        ["three", "person"],
      ]),
    );
  });

  it("ends with the run when that is stopped, still undecided", async () => {
    const thread = new GateThread();
    const end = thread.send("run deploy");
    await thread.journal.until(() => thread.journal.pending.length === 1);
    thread.stop();
    expect(await end).toEqual({ kind: "stopped", problem: undefined });
    expect(thread.journal.pending).toHaveLength(1);
    expect(thread.commands).toEqual([]);
  });

  it("is found again, not asked again, after the run was parked; what was decided meanwhile is done", async () => {
    const thread = new GateThread();
    const end = thread.send("run one\nrun two");
    await thread.journal.until(() => thread.journal.pending.length === 2);
    thread.journal.park();
    expect(await end).toEqual({ kind: "waiting" });
    await thread.journal.decide("two", approve);
    const second = thread.goOn();
    await thread.journal.until(() => thread.commands.length === 1);
    expect(thread.journal.questions).toHaveLength(2);
    await thread.journal.decide("one", approve);
    expect(await second).toEqual({ kind: "done" });
    expect(thread.commands).toEqual(["two", "one"]);
    expect(thread.journal.judged).toHaveLength(2);
  });
});

describe("a call that cannot go well", () => {
  const explode = tool(
    () => {
      throw new Error("no paper");
    },
    { name: "web_search", description: "Searches", schema: z.object({ query: z.string() }) },
  ) as unknown as StructuredTool;

  it.each(["free", "run"] as const)(
    "becomes an error the model reads when its tool throws (%s)",
    async (judged) => {
      const thread = new GateThread({
        tools: [explode],
        judge: ({ tool }) => (tool === "web_search" ? judged : "run"),
      });
      expect(await thread.send("search cats\nrun test\n\nrun after")).toEqual({ kind: "done" });
      expect(thread.commands).toEqual(["test", "after"]);
      expect((await thread.results())[0]).toEqual({
        tool: "web_search",
        text: expect.stringContaining("no paper"),
        isError: true,
      });
    },
  );

  it("is refused when the agent was configured without its tool, whoever asks for it", async () => {
    const thread = new GateThread({ agent: { tools: ["read_file", "task"] }, judge: () => "run" });
    expect(await thread.send("run test\ndelegate general-purpose: run inner")).toEqual({ kind: "done" });
    expect(thread.commands).toEqual([]);
    expect((await thread.results())[0]?.text).toContain("not allowed to use execute");
  });

  const thrice = "run rm -rf /\n\nrun rm -rf /\n\nrun rm -rf /\n\nrun rm -rf /";
  it.each([
    ["", thrice],
    ["inside a sub-agent", `delegate general-purpose: ${thrice.replaceAll("\n\n", " ;; ")}`],
  ])("stops the turn when the same refused call comes a third time %s", async (_where, text) => {
    const thread = new GateThread({
      judge: ({ tool }) => (tool === "execute" ? { refuse: "Never allowed. Do without." } : undefined),
    });
    const end = await thread.send(text);
    expect(end).toMatchObject({ kind: "failed", error: { name: "TurnStopped" } });
    expect(String(end.kind === "failed" && end.error)).toContain("same refused execute call 3 times");
    expect(thread.journal.ledger).toHaveLength(3);
    expect(thread.commands).toEqual([]);
  });

  it("does not stop the turn when each refused call is another one", async () => {
    const thread = new GateThread({ judge: () => ({ refuse: "No." }) });
    expect(await thread.send("run a\n\nrun b\n\nrun c\n\nrun d")).toEqual({ kind: "done" });
    expect(thread.journal.ledger).toHaveLength(4);
  });
});
