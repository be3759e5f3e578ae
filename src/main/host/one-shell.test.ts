/** Policy, rules, prompt and terminal take a command for the language of one and the same shell. */
import { chmod, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newCommandId } from "../base/command-id.ts";
import { console, folders, withHost } from "./testing/host-fixture.ts";

/** PowerShell cannot be had here: a script stands in for it that prints what it was given last, and its version when it is asked. */
const standIn = join(tmpdir(), `powershell-stand-in-${process.pid}.sh`);
const script = `#!/bin/bash
case "\${*: -1}" in *PSVersion*) echo 7.5.1 ;; *) printf '%s\\n' "\${@: -1}" ;; esac
`;
const mock = new LLMock({ port: 0, host: "127.0.0.1" });

beforeAll(async () => {
  await writeFile(standIn, script);
  await chmod(standIn, 0o700);
  await mock.start();
});
afterAll(async () => {
  await mock.stop();
  await rm(standIn);
});

withHost("file", () => ({
  commandShell: { kind: "powershell", file: standIn, name: "PowerShell", closesDescriptors: false },
}));

describe("a host whose shell is PowerShell", () => {
  it("runs what only reads in PowerShell's language, as the very text, and asks about bash's", async () => {
    const threadId = await console.start("run Get-ChildItem -Name");
    await console.untilStatus(threadId, "done");
    const [ran] = await console.toolCalls(threadId);
    expect(JSON.stringify(ran)).toContain("Invoke-Expression 'Get-ChildItem -Name'");
    const asked = await console.start("run ls -la && cat notes.txt");
    const { verdict } = await console.onePending(asked);
    expect(verdict).toMatchObject({ verdict: "ask", units: [{ reason: expect.stringContaining("&&") }] });
    await console.stop(asked);
  });

  it("makes, checks and previews rules in that language", async () => {
    const threadId = await console.start("run Set-Content notes.txt 'it is done'");
    const waiting = await console.onePending(threadId);
    const { proposal } = await console.client.call("approvals.get", { id: waiting.id });
    const text = "set-content notes.txt 'it is done'";
    expect(proposal).toEqual({ rule: text, exact: true });
    const rule = { text, exact: true, effect: "allow", scope: "user", target: "command" } as const;
    expect(await console.client.call("rules.preview", rule)).toMatchObject({ ok: true, exact: true });
    for (const [wrong, why] of [
      ["Get-Content .env", "secrets"],
      ["cmd", "runs other programs"],
      ["npm test && ls", "one plain command"],
    ] as const)
      expect(await console.client.call("rules.preview", { ...rule, text: wrong })).toMatchObject({
        ok: false,
        message: expect.stringContaining(why),
      });
    await console.client.call("rules.add", rule);
    await console.approve(waiting);
    await console.untilStatus(threadId, "done");
    await console.run(threadId, "run Set-Content notes.txt 'it is done'");
    expect((await console.ledger(threadId)).map(({ by }) => by.kind)).toEqual(["person", "rule"]);
  });

  it("tells the model and the page its name and version", async () => {
    await console.client.call("models.setKey", { provider: "openai", key: "sk-test" });
    mock.on({ userMessage: "hello" }, { content: "Hello." });
    const { id } = await console.client.call("threads.create", {
      commandId: newCommandId(),
      workspace: folders.workspace,
      model: { provider: "openai", model: "gpt-test", baseUrl: `${mock.url}/v1` },
    });
    await console.run(id, "hello");
    expect(JSON.stringify(mock.getRequests().map(({ body }) => body))).toContain(
      "are read by PowerShell 7.5; write them for that shell and system.",
    );
    for await (const item of console.client.watch("console.watch", {})) {
      if (item.kind !== "reset") continue;
      expect(item.host.commandShell).toEqual({ kind: "powershell", title: "PowerShell 7.5" });
      return;
    }
  });
});
