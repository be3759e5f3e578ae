import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Folders, makeFolders, openHost, removeFolders } from "../host/testing/host-fixture.ts";
import { exitCodes, runUnattended } from "./run.ts";
import { Sink } from "./testing/sink.ts";

let folders: Folders;

beforeAll(async () => {
  folders = await makeFolders();
});

afterAll(async () => {
  await removeFolders(folders);
});

const made = (file: string) => existsSync(join(folders.workspace, file));

async function run(task: string, ...options: string[]) {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const where = ["--workspace", folders.workspace, "--data-dir", folders.dataDir, "--model", "demo"];
  // Most of it is the same with and without it; what is not says so itself.
  const sandbox = options.includes("--sandbox") ? [] : ["--sandbox", "off"];
  const code = await runUnattended([...where, ...sandbox, ...options, "--", task], { stdout, stderr });
  return { code, out: stdout.text, err: stderr.text };
}

/** What the last run left in the ledger, as a console reads it. */
async function ledgerOfLast() {
  const { console, close } = await openHost(folders);
  const lines = await console.ledger();
  await close();
  const last = lines.at(-1)?.threadId;
  return lines.filter(({ threadId }) => threadId === last);
}

describe("an unattended run", () => {
  it("that confines all it runs refuses what it cannot, whatever the list says, and no other mode is taken", async () => {
    const { code, out } = await run(
      "run cargo add left-pad",
      ...["--shell-allow-list", "cargo add", "--sandbox", "require"],
    );
    expect([code, made("Cargo.lock")]).toEqual([exitCodes.refused, false]);
    expect(out).toContain("run confined or not at all");
    const { code: wrong, err } = await run("run ls", "--sandbox", "maybe");
    expect([wrong, err]).toEqual([
      exitCodes.usage,
      expect.stringContaining("auto, require or off, and not maybe"),
    ]);
  });

  it("runs what its list allows, token by token, and writes down that it did", async () => {
    const { code, out } = await run(
      "run touch listed\nrun echo hello",
      "--shell-allow-list",
      "touch listed, echo",
    );
    expect([code, made("listed")]).toEqual([exitCodes.done, true]);
    expect(out).toContain("Done: 2 of 2 steps worked.");
    const lines = await ledgerOfLast();
    expect(lines.map(({ by, receipt }) => [by.kind, receipt?.exitCode])).toEqual([
      ["unattended", 0],
      ["unattended", 0],
    ]);
  });

  it.each([
    ["another argument", "touch listed-not"],
    ["a longer word", "touchy listed"],
    ["a second command behind it", "touch listed; touch smuggled"],
    ["a command inside it", "touch listed $(touch smuggled)"],
    ["a file written on the side", "echo x > smuggled"],
    ["a variable in front", "FOO=1 touch listed"],
    ["what always asks", "sudo touch listed"],
  ])("refuses %s, in words that the model reads", async (_what, command) => {
    const { code, out } = await run(`run ${command}`, "--shell-allow-list", "touch listed,echo");
    expect(code).toBe(exitCodes.refused);
    expect(out).toMatch(/denied: Refused: .*touch listed, echo/);
    expect(["smuggled", "listed-not"].map(made)).toEqual([false, false]);
    expect((await ledgerOfLast()).flatMap(({ executionId }) => executionId ?? [])).toEqual([]);
  });

  it("refuses every command without a list, and every file change without leave", async () => {
    expect(await run("run ls")).toMatchObject({ code: 3, out: expect.stringContaining("switched off") });
    expect(await run("write note hello")).toMatchObject({
      code: 3,
      out: expect.stringContaining("not changed"),
    });
    expect(made("note")).toBe(false);
    expect(await run("write note hello", "--allow-writes")).toMatchObject({ code: exitCodes.done });
    expect(made("note")).toBe(true);
    const outside = join(folders.root, "outside");
    expect((await run(`write ${outside} hello\nwrite .env x`, "--allow-writes")).code).toBe(
      exitCodes.refused,
    );
    expect([existsSync(outside), made(".env")]).toEqual([false, false]);
  });

  it("moves files with the same leave only, and out of the workspace or to a secret name not even then", async () => {
    writeFileSync(join(folders.workspace, "here"), "x");
    expect((await run("move here there")).code).toBe(exitCodes.refused);
    const outside = join(folders.root, "outside");
    expect((await run(`move here ${outside}\nmove here .env`, "--allow-writes")).code).toBe(
      exitCodes.refused,
    );
    expect([made("here"), made("there"), existsSync(outside), made(".env")]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect((await run("move here there", "--allow-writes")).code).toBe(exitCodes.done);
    expect([made("here"), made("there")]).toEqual([false, true]);
  });

  it("does not hang on a question: the agent hears that nobody is there", async () => {
    expect(await run("ask Which colour?")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Nobody is there"),
    });
  });

  it("writes down that an answer in a run without a person was no person's", async () => {
    const { out } = await run("ask Which colour?", "--json");
    const events = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const decided = events.filter(({ type }) => type === "approval.decided");
    expect(decided.map(({ by }) => by)).toEqual([{ kind: "unattended" }]);
  });

  it("stops an agent that repeats a refused call for ever, and says so", async () => {
    const { code, out } = await run(
      ["run sudo true", "run sudo true", "run sudo true", "run sudo true"].join("\n\n"),
    );
    expect([code, out]).toEqual([
      exitCodes.failed,
      expect.stringMatching(/same refused execute call 3 times/),
    ]);
  });

  it("says everything as JSON lines when asked to", async () => {
    const { out } = await run("run touch json\nsay hi", "--json", "--shell-allow-list", "touch");
    const events = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ type: "message.sent", seq: expect.any(Number) });
    expect(events.at(-1)).toMatchObject({ type: "run.finished", exitCode: 0 });
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["toolCall.finished", "turn.finished"]),
    );
  });

  it.each([
    ["no task", ["--workspace", ".", "--model", "demo"], /task is missing/],
    ["no workspace", ["--model", "demo", "--", "say hi"], /--workspace/],
    ["a model of nobody", ["--workspace", ".", "--model", "x", "--", "say hi"], /no provider/],
    [
      "no name behind its provider",
      ["--workspace", ".", "--model", "openai:", "--", "x"],
      /--model names no model/,
    ],
    [
      "an address that is none",
      ["--workspace", ".", "--model", "m", "--base-url", "nonsense", "--", "x"],
      /^--base-url is no address/,
    ],
    [
      "a password in its address",
      ["--workspace", ".", "--model", "m", "--base-url", "http://a:secret@h/v1", "--", "x"],
      /^(?!.*secret)--base-url is no address/,
    ],
    ["an unknown option", ["--workspac", "."], /workspac/],
    [
      "an interpreter on its list",
      ["--workspace", ".", "--model", "demo", "--shell-allow-list", "bash", "--", "x"],
      /bash/,
    ],
  ])("with %s ends with wrong usage and says what is wrong", async (_what, argv, problem) => {
    const stderr = new Sink();
    expect(await runUnattended(argv, { stdout: new Sink(), stderr })).toBe(exitCodes.usage);
    expect(stderr.text).toMatch(problem);
  });

  it("fails with a sentence when the folder is not there or a console has the data directory", async () => {
    const [stdout, stderr] = [new Sink(), new Sink()];
    const argv = [
      "--workspace",
      "/no/such",
      "--data-dir",
      folders.dataDir,
      "--model",
      "demo",
      "--",
      "say hi",
    ];
    expect(await runUnattended(argv, { stdout, stderr })).toBe(exitCodes.failed);
    expect(stderr.text).toContain("/no/such");
    const { close } = await openHost(folders);
    expect(await run("say hi")).toMatchObject({
      code: exitCodes.failed,
      err: expect.stringMatching(/already running/),
    });
    await close();
  });
});

it("tells what is wrong with the data it found", async () => {
  writeFileSync(join(folders.dataDir, "keys.json"), "{");
  expect(await run("say hi", "--json")).toMatchObject({ code: 0, err: expect.stringContaining("keys.json") });
});

describe("a parked run", () => {
  it("leaves what needs a person in the queue, where a console finds it, decides it and finishes the task", async () => {
    const { code, err } = await run(
      "run touch parked\nask Which colour?\nrun touch free",
      "--park",
      "--shell-allow-list",
      "touch free",
    );
    expect([code, made("parked"), made("free")]).toEqual([exitCodes.parked, false, true]);
    expect(err).toMatch(/waits for your decision.*--data-dir/);
    expect(err).toContain(folders.dataDir);
    const { console, close } = await openHost(folders);
    await console.until(() => console.pending().length === 2, "both wait");
    const { threadId } = console.pending()[0]!;
    expect(console.threads.get(threadId)?.status).toBe("waiting");
    for (const asked of console.pending())
      await console.decide(
        asked,
        asked.kind === "interrupt" ? { type: "respond", answer: "blue" } : { type: "approve" },
      );
    await console.untilStatus(threadId, "done");
    expect(made("parked")).toBe(true);
    expect(await console.lastWords(threadId)).toContain("blue");
    expect((await console.ledger(threadId)).map(({ by }) => by.kind).sort()).toEqual([
      "person",
      "unattended",
    ]);
    await close();
  });
});
