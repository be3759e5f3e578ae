/** What only reads runs confined where that can be relied on; what was to be and cannot be never runs without a person (I8). */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Probe } from "../sandbox/probe.ts";
import type { SandboxMode } from "../sandbox/sandbox.ts";
import { makeStandIn, missing, program } from "../sandbox/testing/real-sandbox.ts";
import {
  type Folders,
  makeFolders,
  openHost,
  removeFolders,
  type TestConsole,
} from "./testing/host-fixture.ts";

type Opened = { folders: Folders; console: TestConsole; reopen(probe?: Probe): Promise<TestConsole> };

/** A host with one file in its folder. @param probed what its sandbox is taken for; without it what it is. */
async function open(mode: SandboxMode, probed?: Probe): Promise<Opened> {
  const folders = await makeFolders();
  writeFileSync(join(folders.workspace, "notes"), "one\n");
  const start = (known: Probe | undefined) =>
    openHost(folders, { sandbox: { mode, ...(known && { parts: { probe: async () => known } }) } });
  let running = await start(probed);
  onTestFinished(async () => {
    await running.close();
    await removeFolders(folders);
  });
  return {
    folders,
    console: running.console,
    async reopen(known = probed) {
      await running.close();
      running = await start(known);
      return running.console;
    },
  };
}

const none: Probe = { usable: false, why: "it is not installed" };
/** What attacks it is tested where it stands; one host does it here too. */
const holds: Probe = { usable: true, program, tries: 1 };

/** What the record and the conversation say of the commands that began. */
async function widthsOf(console: TestConsole, threadId: Parameters<TestConsole["ledger"]>[0] & string) {
  const lines = await console.ledger(threadId);
  const calls = await console.toolCalls(threadId);
  return [lines.map(({ by, width }) => [by.kind, width]), calls.map(({ width }) => width)];
}

describe.skipIf(missing !== undefined)("where commands can be confined", () => {
  it("what only reads is, unasked, and record, conversation and page say so", async () => {
    const { console } = await open("auto");
    const threadId = await console.start();
    await console.run(threadId, "run cat notes && ps -e | wc -l");
    expect(await widthsOf(console, threadId)).toEqual([[["policy", "read-only"]], ["read-only"]]);
    const [call] = await console.toolCalls(threadId);
    const [notes, processes] = (call?.result ?? "").split("\n");
    expect([notes, Number(processes) < 12]).toEqual(["one", true]);
    expect(await console.client.call("host.info", {})).toMatchObject({ sandbox: { state: "usable" } });
  });

  it("what is asked about runs as its card says, and one yes is for one width", async () => {
    const { console, folders } = await open("auto", holds);
    const outside = join(folders.dataDir, "..", "beside");
    // A place outside that stood in the command itself would take it out of the sandbox.
    writeFileSync(
      join(folders.workspace, "a.sh"),
      `echo x > made; echo x > "${outside}"; cat ${keepElsewhere()}\n`,
    );
    const threadId = await console.start("run bash a.sh");
    const asked = await console.onePending(threadId);
    expect(asked.width).toBe("workspace");
    const { id, digest } = asked;
    const moved = await console.client.call("approvals.confine", { id, digest, confined: false });
    expect(moved).toMatchObject({ ok: true, approval: { width: "outside", status: "pending" } });
    expect(await console.approve(asked)).toMatchObject({ ok: false });
    const back = await console.client.call("approvals.confine", {
      ...{ id, digest: moved.approval?.digest ?? "", confined: true },
    });
    expect(back).toMatchObject({ ok: true, approval: { width: "workspace", digest } });
    await console.approve(asked);
    await console.untilRest(threadId);
    expect([existsSync(join(folders.workspace, "made")), existsSync(outside)]).toEqual([true, false]);
    expect(await widthsOf(console, threadId)).toEqual([[["person", "workspace"]], ["workspace"]]);
    expect((await console.toolCalls(threadId))[0]?.result).not.toContain("TOKEN");
  });

  it("what is taken out of the sandbox runs outside of it", async () => {
    const { console } = await open("auto", holds);
    const threadId = await console.start("run make() { ls /proc | grep -c '^[0-9]'; }; make");
    const { id, digest } = await console.onePending(threadId);
    const moved = await console.client.call("approvals.confine", { id, digest, confined: false });
    await console.approve({ id, digest: moved.approval?.digest ?? "" });
    await console.untilRest(threadId);
    expect(await widthsOf(console, threadId)).toEqual([[["person", "outside"]], ["outside"]]);
    const [call] = await console.toolCalls(threadId);
    expect(Number.parseInt(call?.result ?? "", 10)).toBeGreaterThan(8);
  });

  it("what needs more than a sandbox gives says so before it runs, and no switch lets it", async () => {
    const { console } = await open("auto", holds);
    const threadId = await console.start();
    await console.client.call("threads.setAutoApprove", { threadId, on: true });
    await console.send(threadId, "run mkdir made\nrun npm install");
    const asked = await console.onePending(threadId);
    expect([asked.width, asked.subject]).toEqual([
      "workspace; network",
      expect.objectContaining({ command: "npm install" }),
    ]);
    await console.decide(asked, { type: "reject" });
    await console.untilRest(threadId);
    expect((await widthsOf(console, threadId))[0]).toEqual([
      ["auto-approve", "workspace"],
      ["person", undefined],
    ]);
  });

  it("one is given one thing more at a time: each step is another card, and what was shown is what runs", async () => {
    const { console, folders } = await open("auto", holds);
    const named = mkdtempSync("/var/tmp/countersign-named-");
    onTestFinished(() => rmSync(named, { recursive: true }));
    await console.client.call("settings.update", { writableFolders: [named] });
    writeFileSync(join(folders.workspace, "a.sh"), `echo x > ${named}/made; grep -c : /proc/net/dev\n`);
    const threadId = await console.start("run bash a.sh");
    const first = await console.onePending(threadId);
    const folder = `folders ["${named}"]`;
    expect(first.width).toBe(`workspace; ${folder}`);
    const widen = async (digest: string, grant: "network" | "sockets" | null) => {
      const { approval } = await console.client.call("approvals.confine", {
        ...{ id: first.id, digest, confined: true, grant },
      });
      return approval!;
    };
    const sockets = await widen(first.digest, "sockets");
    const network = await widen(sockets.digest, "network");
    expect([sockets.width, network.width]).toEqual([
      `workspace; sockets; ${folder}`,
      `workspace; network; ${folder}`,
    ]);
    expect(new Set([first, sockets, network].map(({ digest }) => digest)).size).toBe(3);
    expect(
      (
        await console.client.call("approvals.confine", {
          ...{ id: first.id, digest: first.digest },
          confined: true,
          grant: null,
        })
      ).ok,
    ).toBe(false);
    await console.approve(network);
    await console.untilRest(threadId);
    expect(await widthsOf(console, threadId)).toEqual([[["person", network.width]], [network.width]]);
    const [call] = await console.toolCalls(threadId);
    expect(Number.parseInt(call?.result ?? "", 10)).toBe(
      readFileSync("/proc/net/dev", "utf8").split(":").length - 1,
    );
    expect(readFileSync(join(named, "made"), "utf8")).toBe("x\n");
  });

  it("a folder to write in is none that holds the home, the records or the system, or is not there", async () => {
    const { console, folders } = await open("auto", holds);
    for (const folder of ["/", homedir(), folders.dataDir, "/usr/local", "/nowhere", "notes"])
      await expect(
        console.client.call("settings.update", { writableFolders: [folder] }),
      ).rejects.toMatchObject({ code: "invalid-input", field: "writableFolders" });
    await expect(console.client.call("settings.update", { hiddenPaths: ["x"] })).rejects.toMatchObject({
      field: "hiddenPaths",
    });
  });

  it("a rule's command is, and git reaches its repository only where git is said", async () => {
    const { console, folders } = await open("auto", holds);
    execFileSync("git", ["init", "-q"], { cwd: folders.workspace });
    const scripts = { test: "echo x > .git/planted; echo x > made" };
    writeFileSync(join(folders.workspace, "package.json"), JSON.stringify({ scripts }));
    const workspace = folders.workspace;
    await console.trust(workspace);
    for (const text of ["npm test", "git add"])
      await console.client.call("rules.add", { text, effect: "allow", scope: "workspace", workspace });
    const threadId = await console.start();
    await console.run(threadId, "run npm test\nrun git add notes");
    expect((await widthsOf(console, threadId))[1]).toEqual(["workspace", "workspace and git"]);
    expect([existsSync(join(workspace, ".git/planted")), existsSync(join(workspace, "made"))]).toEqual([
      false,
      true,
    ]);
    const staged = execFileSync("git", ["diff", "--cached", "--name-only"], {
      cwd: workspace,
      encoding: "utf8",
    });
    expect(staged).toBe("notes\n");
  });

  it("nothing is where the person switched it off", async () => {
    const { console } = await open("off");
    const threadId = await console.start();
    await console.run(threadId, "run cat notes");
    expect(await widthsOf(console, threadId)).toEqual([[["policy", "outside"]], ["outside"]]);
  });
});

describe("where commands cannot be confined", () => {
  it("what only reads runs as before and says so", async () => {
    const { console } = await open("auto", none);
    const threadId = await console.start();
    await console.run(threadId, "run cat notes");
    expect(await widthsOf(console, threadId)).toEqual([[["policy", "outside"]], ["outside"]]);
    expect(await console.client.call("host.info", {})).toMatchObject({
      sandbox: { state: "unusable", why: "it is not installed" },
    });
  });

  it("nothing runs unasked for a person who wants all of it confined", async () => {
    const { console } = await open("require", none);
    const threadId = await console.start("run cat notes");
    const asked = await console.onePending(threadId);
    expect([asked.width, asked.verdict.verdict, asked.description]).toEqual([
      "outside",
      "safe",
      expect.stringContaining("cannot be confined: it is not installed"),
    ]);
    await console.approve(asked);
    await console.untilRest(threadId);
    expect(await widthsOf(console, threadId)).toEqual([[["person", "outside"]], ["outside"]]);
  });
});

describe.skipIf(process.platform !== "linux")("what waits when the switch is turned on", () => {
  it.each([
    ["reaches beyond the sandbox", "auto"],
    ["cannot be confined where all that runs unasked has to be", "require"],
  ] as const)("stays where it %s", async (_, mode) => {
    const holds: Probe = { usable: true, program: makeStandIn("exit 0"), tries: 1 };
    const { console } = await open(mode, mode === "auto" ? holds : none);
    const why = mode === "auto" ? "beyond the sandbox" : "outside of the sandbox";
    const threadId = await console.start("run npm install");
    const { id, digest } = await console.onePending(threadId);
    const { passes, stays } = await console.client.call("threads.previewAutoApprove", { threadId });
    expect([passes, stays]).toEqual([[], [{ id, why: expect.stringContaining(why) }]]);
    const turned = { threadId, on: true, approve: [{ id, digest }] };
    expect(await console.client.call("threads.setAutoApprove", turned)).toMatchObject({
      approved: [],
      left: [{ id, why: expect.stringContaining(why) }],
    });
  });
});

/** A credential that lies where the app's environment says, which no process that starts commands is told. */
function keepElsewhere(): string {
  const folder = mkdtempSync("/var/tmp/countersign-elsewhere-");
  vi.stubEnv("KUBECONFIG", join(folder, "config"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, "config"), "TOKEN\n");
  return join(folder, "config");
}

describe.skipIf(process.platform !== "linux")("a sandbox that was relied on and fails", () => {
  it("was told to hide what the app's environment names, and what the person hides", async () => {
    const [named, told] = [keepElsewhere(), mkdtempSync("/var/tmp/countersign-told-")];
    onTestFinished(() => rmSync(told, { recursive: true }));
    const program = makeStandIn(`printf '%s\\n' "$@" > ${told}/words; exit 1`);
    const { console } = await open("auto", { usable: true, program, tries: 1 });
    await console.client.call("settings.update", { hiddenPaths: [told] });
    await console.onePending(await console.start("run cat notes"));
    const words = readFileSync(join(told, "words"), "utf8");
    expect(words).toContain(`--ro-bind\n/dev/null\n${named}\n`);
    expect(words).toContain(`--tmpfs\n${told}\n`);
  });

  it.each([
    ["fails", "echo 'bwrap: no namespaces' >&2; exit 1"],
    ["runs nothing and says that all went well", "exit 0"],
  ])("%s: nothing has run, and a person is asked, also after a restart", async (_, script) => {
    const broken: Probe = { usable: true, program: makeStandIn(script), tries: 1 };
    const { console, reopen } = await open("auto", broken);
    const threadId = await console.start("run cat notes");
    const asked = await console.onePending(threadId);
    expect([asked.width, asked.description]).toEqual([
      "outside",
      expect.stringContaining("could not be confined"),
    ]);
    expect((await console.toolCalls(threadId)).map(({ state }) => state)).toEqual(["waiting"]);
    const after = await reopen();
    const again = await after.onePending(threadId);
    expect(again.id).toBe(asked.id);
    await after.approve(again);
    await after.untilRest(threadId);
    expect((await after.toolCalls(threadId)).map(({ result, width }) => [result, width])).toEqual([
      [expect.stringMatching(/^one\n/), "outside"],
    ]);
    // The first line is of what was begun and dropped.
    expect((await after.ledger(threadId)).map(({ by, width }) => [by.kind, width])).toEqual([
      ["policy", "read-only"],
      ["person", "outside"],
    ]);
  });
});
