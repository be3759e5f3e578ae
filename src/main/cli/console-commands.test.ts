import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { approvalSchema } from "../../shared/contract/approvals.ts";
import { contract } from "../../shared/contract/contract.ts";
import { threadSummarySchema } from "../../shared/contract/threads.ts";
import { addressFile } from "../console/command-line-door.ts";
import { folders, console as window, withHost } from "../host/testing/host-fixture.ts";
import { withConsole } from "./console-client.ts";
import { consoleExitCodes as codes } from "./console-options.ts";
import { typeAt } from "./testing/typed-commands.ts";

const unseen = { inFull: false, ms: 0 };

const { reopen } = withHost("file");

const { approvals, threads, follow } = typeAt(() => folders.dataDir);

async function allow(isAllowed: boolean): Promise<void> {
  await window.client.call("settings.update", { commandLine: isAllowed });
  await window.until(
    () => existsSync(addressFile(folders.dataDir)) === isAllowed,
    `the door is open: ${isAllowed}`,
  );
}

const address = (): string => JSON.parse(readFileSync(addressFile(folders.dataDir), "utf8")).address;

const socketFiles = () =>
  ["command-line.json", "command-line.sock"].filter((name) => existsSync(join(folders.dataDir, name)));

describe("the command line's door", () => {
  it("is shut until the person opens it, and what does not answer says what to do", async () => {
    expect(socketFiles()).toEqual([]);
    const { code, out, err } = await approvals("list");
    expect([code, out]).toEqual([codes.failed, ""]);
    expect(err).toMatch(
      /^No console answers for the data folder .*switch on “Answers from the command line”/,
    );
  });

  it("is open to this user alone, again after a host that was killed, and shut with all its guests when it is switched off", async () => {
    await allow(true);
    const modes = socketFiles().map((name) => statSync(join(folders.dataDir, name)).mode & 0o077);
    if (process.platform !== "win32") expect(modes).toEqual([0, 0]);
    await reopen(() => leaveStale());
    expect((await approvals("list")).out).toBe("Nothing waits for you.\n");
    const guest = connect(address());
    const gone = new Promise((resolve) => guest.once("close", resolve));
    await new Promise((resolve) => guest.once("connect", resolve));
    await allow(false);
    await gone;
    expect([socketFiles(), (await approvals("list")).code]).toEqual([[], codes.failed]);
    await allow(true);
  });

  it("lets nobody ask for more than to read, to answer the queue, to begin, send, stop, go on, take back and bring home", async () => {
    const names = Object.keys(contract) as (keyof typeof contract)[];
    const open = [
      ...["console.watch", "approvals.get", "approvals.decide", "threads.send", "threads.watch"],
      ...["threads.page", "threads.item", "undo.preview", "undo.carryOut", "undo.reverse"],
      ...["threads.stop", "threads.resume", "deepagents.threads", "deepagents.import"],
      ...["home.preview", "home.file", "home.conflict", "home.putBack", "home.bring"],
      ...["remoteServers.list", "remoteServers.assistants", "remoteServers.start"],
    ];
    await withConsole(folders.dataDir, async (client) => {
      for (const name of names.filter((each) => !open.includes(each))) {
        const refused =
          contract[name].kind === "stream"
            ? client
                .watch(name as never, {} as never)
                [Symbol.asyncIterator]()
                .next()
            : client.call(name as never, {} as never);
        const code = await refused.catch((error) => error.code);
        // What needs an input is refused as early.
        expect(["forbidden", "invalid-input"], name).toContain(code);
      }
      await expect(client.call("threads.stopAllAutoApprove", {})).rejects.toMatchObject({
        code: "forbidden",
      });
      await expect(client.call("settings.update", { sandbox: "off" })).rejects.toMatchObject({
        code: "forbidden",
      });
    });
  });

  it("hangs up on a line that is longer than a frame, and goes on for others", async () => {
    const flood = connect(address());
    flood.on("error", () => {});
    const gone = new Promise((resolve) => flood.once("close", resolve));
    flood.write("x".repeat(1_100_000));
    await gone;
    expect((await approvals("list")).code).toBe(codes.done);
  });
});

it.skipIf(process.platform === "win32")(
  "agents in terminals have a door of their own, which opens no other and is shut with its setting",
  async () => {
    const isThere = () => existsSync(join(folders.dataDir, "terminal-hook"));
    expect(isThere()).toBe(false);
    const allowHooks = (terminalAgents: boolean) => window.client.call("settings.update", { terminalAgents });
    await allow(false);
    await allowHooks(true);
    await window.until(isThere, "the hook is there");
    expect([existsSync(join(folders.dataDir, "terminal-agents.sock")), socketFiles()]).toEqual([true, []]);
    await allowHooks(false);
    expect([isThere(), existsSync(join(folders.dataDir, "terminal-agents.sock"))]).toEqual([false, false]);
    await allow(true);
  },
);

/** As a killed host leaves it: the files are there, and nobody listens. */
function leaveStale(): void {
  writeFileSync(join(folders.dataDir, "command-line.sock"), "");
  writeFileSync(
    addressFile(folders.dataDir),
    JSON.stringify({ address: join(folders.dataDir, "command-line.sock") }),
  );
}

describe("approvals on the command line", () => {
  it("are shown whole, and only what was shown is approved; the record says from where", async () => {
    const thread = await window.start("run touch one");
    const { id } = await window.onePending(thread);
    expect((await approvals("list")).out).toMatch(new RegExp(`^${id}  \\w+ +.*: touch one\\n$`));
    const shown = await approvals("show", id);
    expect(shown.out).toContain("  | touch one\n");
    const digest = /^Digest: (.+)$/m.exec(shown.out)![1]!;
    const other = await approvals("approve", id, "--digest", `${digest}0`);
    expect([other.code, other.out, existsSync(join(folders.workspace, "one"))]).toEqual([
      codes.refused,
      "",
      false,
    ]);
    expect(other.err).toBe("This is not what was shown. Look at what is asked now and decide again.\n");
    const { code, out } = await approvals("approve", id, "--digest", digest);
    expect([code, out]).toEqual([codes.done, "Recorded: approve.\n"]);
    await window.untilRest(thread);
    expect(existsSync(join(folders.workspace, "one"))).toBe(true);
    const [line] = await window.ledger(thread);
    expect([line!.by, line!.seen]).toEqual([{ kind: "person", via: "command line" }, unseen]);
    expect((await approvals("reject", id, "--digest", digest)).code).toBe(codes.refused);
  });

  it("cannot say that they were seen", async () => {
    const thread = await window.start("run touch unseen");
    const { id, digest } = await window.onePending(thread);
    await withConsole(folders.dataDir, (client) =>
      client.call("approvals.decide", {
        commandId: "claims" as never,
        items: [{ id, digest, seen: { inFull: true, ms: 60_000 } }],
        decision: { type: "reject" },
      }),
    );
    await window.untilRest(thread);
    expect((await window.ledger(thread))[0]!.seen).toEqual(unseen);
  });

  it("are changed, answered and refused with a reason", async () => {
    const edited = await window.start("run touch two");
    const two = await window.onePending(edited);
    const args = JSON.stringify({ command: "touch three" });
    expect((await approvals("edit", two.id, "--digest", two.digest, "--args", args)).err).toBe("");
    await window.untilRest(edited);
    expect([
      existsSync(join(folders.workspace, "two")),
      existsSync(join(folders.workspace, "three")),
    ]).toEqual([false, true]);
    const asked = await window.start("ask Which colour?");
    const question = await window.onePending(asked);
    await approvals("respond", question.id, "--digest", question.digest, "--answer", "red");
    await window.untilRest(asked);
    expect((await window.toolCalls(asked))[0]!.result).toContain("red");
    const refused = await window.start("run touch four");
    const four = await window.onePending(refused);
    const { out } = await approvals("reject", four.id, "--digest", four.digest, "--message", "no", "--json");
    expect(JSON.parse(out)).toMatchObject({ ok: true, approval: { decision: { message: "no" } } });
    await window.untilRest(refused);
    expect(existsSync(join(folders.workspace, "four"))).toBe(false);
  });

  it.each([
    [["list", "much"]],
    [["show"]],
    [["approve", "a"]],
    [["approve", "a", "--digest", "d", "--message", "m"]],
    [["respond", "a", "--digest", "d"]],
    [["edit", "a", "--digest", "d", "--args", "{"]],
    [["edit", "a", "--digest", "d", "--args", "[]"]],
    [["undo", "a"]],
    [["list", "--yes"]],
  ])("%j is no use of it", async (words) => {
    const { code, out, err } = await approvals(...words);
    expect([code, out]).toEqual([codes.usage, ""]);
    expect(err).toContain("Usage:");
  });

  it("give a terminal nothing to obey, and no line of theirs passes for one of ours", async () => {
    const hostile = "\u001b[2J\u009b31m\u202eevil\u2028";
    const thread = await window.start(`ask Which?${hostile} | red\nsay ${hostile}`);
    await window.client.call("threads.rename", { threadId: thread, title: `a${hostile}b` });
    const { id, digest } = await window.onePending(thread);
    const forged = await window.start("write x.txt Digest: forged\\nAllowed: approve\\nDigest: forged");
    const file = await window.onePending(forged);
    const shown = await approvals("show", file.id);
    expect(shown.out.match(/^Digest: .*$/gm)).toEqual([`Digest: ${file.digest}`]);
    const followed = await follow(thread);
    const followedJson = await follow(thread, "--json");
    const texts = [
      shown.out,
      (await approvals("list")).out,
      (await approvals("list", "--json")).out,
      (await approvals("show", id)).out,
      (await approvals("show", id, "--json")).out,
      (await threads("list")).out,
      (await threads("list", "--json")).out,
    ];
    await approvals("respond", id, "--digest", digest, "--answer", "red");
    texts.push((await followed.end).out, (await followedJson.end).out);
    for (const text of texts) expect(text).not.toMatch(/[^\P{C}\n]|[\u2028\u202e]/u);
    expect((await followed.end).out).toContain("evil");
    await window.client.call("threads.stop", { threadId: forged });
  });
});

/** What the README's table says of one command: the names in its second column. */
function documented(command: string): string[] {
  const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
  const cells = readme.split("\n").map((line) => line.split("|"));
  const row = cells.find(
    ([, commands]) => commands?.includes(`\`${command}\``) && !commands.includes("json"),
  );
  return [...(row?.[2] ?? "").matchAll(/`(\w+)/g)].map(([, name]) => name!);
}

it("print with --json what the README's table names, by the schema of the contract", async () => {
  const thread = await window.start("run touch five");
  const { id, digest } = await window.onePending(thread);
  const json = async (run: typeof approvals, ...words: string[]) => {
    const { out } = await run(words[0]!, "--json", ...words.slice(1));
    return JSON.parse(out);
  };
  const detail = contract["approvals.get"].output;
  const outcome = contract["approvals.decide"].output.shape.outcomes.element;
  const sent = contract["threads.send"].output;
  const shown = detail.parse(await json(approvals, "show", id));
  expect(documented("approvals show").sort()).toEqual(Object.keys(detail.shape).sort());
  const listed = await json(approvals, "list");
  expect(listed.approvals.map((one: unknown) => approvalSchema.parse(one))).toContainEqual(shown.approval);
  expect(Object.keys({ ...listed, ...listed.approvals[0] })).toEqual(
    expect.arrayContaining(documented("approvals list")),
  );
  const stale = outcome.parse(await json(approvals, "approve", id, "--digest", "another"));
  const rejected = outcome.parse(await json(approvals, "reject", id, "--digest", digest));
  expect([stale.ok, rejected.ok]).toEqual([false, true]);
  for (const command of ["approve", "reject", "respond", "edit"])
    expect([...new Set(documented(`approvals ${command}`))].sort()).toEqual(
      Object.keys({ ...stale, ...rejected }).sort(),
    );
  await window.untilRest(thread);
  const all = await json(threads, "list");
  for (const one of all.threads) threadSummarySchema.parse(one);
  expect(Object.keys({ ...all, ...all.threads[0] })).toEqual(
    expect.arrayContaining(documented("threads list")),
  );
  const followed = await follow(thread, "--json");
  const answer = sent.parse(await json(threads, "send", thread, "--", "say", "six"));
  expect(documented("threads send").sort()).toEqual(Object.keys(answer).sort());
  for (const line of (await followed.end).out.trim().split("\n"))
    expect(Object.keys(JSON.parse(line))).toEqual(expect.arrayContaining(documented("threads follow")));
  expect(documented("threads resume")).toEqual(documented("threads stop"));
  expect(Object.keys(await json(threads, "stop", thread))).toEqual(documented("threads stop"));
});
