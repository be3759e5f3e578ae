/** `threads` and `servers`, typed at a running console. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ScriptedServer } from "../agents/servers/testing/scripted-server.ts";
import { addressFile } from "../console/command-line-door.ts";
import { folders, running, console as window, withHost } from "../host/testing/host-fixture.ts";
import { consoleExitCodes as codes } from "./console-options.ts";
import { typeAt } from "./testing/typed-commands.ts";

withHost("file");

const { servers, threads, follow } = typeAt(() => folders.dataDir);

beforeAll(async () => {
  await window.client.call("settings.update", { commandLine: true });
  await window.until(() => existsSync(addressFile(folders.dataDir)), "the door is open");
});

describe("threads on the command line", () => {
  it("are listed, sent to and followed to the end of the turn", async () => {
    const thread = await window.start();
    await window.client.call("threads.rename", { threadId: thread, title: "By hand" });
    await window.until(() => window.threads.get(thread)?.title === "By hand", "the title is shown");
    expect((await threads("list")).out).toMatch(new RegExp(`^${thread}  new +By hand$`, "m"));
    const followed = await follow(thread);
    const { code, out } = await threads("send", thread, "--", "say", "good", "morning");
    expect([code, out]).toEqual([codes.done, "Sent.\n"]);
    expect((await followed.end).code).toBe(codes.done);
    expect((await followed.end).out).toContain("good morning");
    expect((await threads("send", thread)).code).toBe(codes.usage);
    expect((await threads("follow", "nobody")).code).toBe(codes.refused);
  });

  it("are taken back from a message on as it was shown, and forth again; the record says from where", async () => {
    const notes = join(folders.workspace, "rewound.md");
    const thread = await window.start("run echo new > rewound.md");
    await window.approveAll(thread);
    const listed = (await threads("undo", thread)).out;
    expect((await threads("rewind", thread)).out).toBe(listed);
    const message = /^(\S+) {2}run echo new > rewound\.md$/m.exec(listed)![1]!;
    const from = ["undo", thread, "--from", message];
    const shown = await threads(...from);
    expect(shown.out).toContain("Files that are undone: 1\n  rewound.md  goes\n");
    expect(shown.out).toContain("\nMessages that the agent forgets: 1\n");
    const { digest } = JSON.parse((await threads(...from, "--json")).out);
    expect(shown.out).toContain(`--digest ${digest}`);
    expect((await threads(...from, "--digest", "of-something-else")).code).toBe(codes.refused);
    expect(existsSync(notes)).toBe(true);
    expect((await threads(...from, "--digest", digest)).out).toBe("Undone: 1 message and 1 file.\n");
    expect(existsSync(notes)).toBe(false);
    expect((await window.ledger(thread)).at(-1)).toMatchObject({
      tool: "undo files and conversation",
      by: { kind: "person", via: "command line" },
    });
    const { last } = JSON.parse((await threads(...from, "--json")).out);
    expect((await threads("undo", thread, "--bring-back", last.id)).code).toBe(codes.done);
    expect(existsSync(notes)).toBe(true);
    const call = (await window.toolCalls(thread))[0]!.id;
    expect((await threads("undo", thread, "--from", call, "--yes", "--json")).out).toBe(
      '{"files":1,"messages":0}\n',
    );
    expect((await threads(...from, "--files", "--conversation")).code).toBe(codes.usage);
  });

  it("begin on a server that is entered, and are stopped", async () => {
    const server = new ScriptedServer();
    await server.start();
    const entered = { id: "farm", name: "Farm", url: server.url, auth: "none" as const };
    await window.client.call("remoteServers.save", entered);
    expect((await servers("list")).out).toMatch(/^farm {2}answers {3}0 waiting {2}Farm /);
    expect((await servers("assistants", "farm")).out).toBe("assistant-1  Agent\n");
    const { code, out } = await servers("start", "farm", "assistant-1", "--", "tidy", "up");
    const thread = out.trim();
    expect(code).toBe(codes.done);
    await window.until(() => window.threads.get(thread as never)?.status === "running", "it works there");
    expect((await threads("stop", thread)).out).toBe("Stopped.\n");
    expect((await servers("start", "other", "a", "--", "x")).code).toBe(codes.refused);
    expect((await servers("start", "farm")).code).toBe(codes.usage);
    await window.client.call("remoteServers.remove", { id: "farm" });
    await server.stop();
  });

  it("are left when the console ends", async () => {
    const thread = await window.start();
    const followed = await follow(thread);
    await running.close();
    expect(await followed.end).toMatchObject({ code: codes.failed });
    const files = ["command-line.json", "command-line.sock"];
    expect(files.filter((name) => existsSync(join(folders.dataDir, name)))).toEqual([]);
  });
});
