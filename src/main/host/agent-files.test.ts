import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Input } from "../../shared/contract/contract.ts";
import type { AgentId } from "../../shared/ids.ts";
import { newCommandId } from "../base/command-id.ts";
import { console, folders, withHost } from "./testing/host-fixture.ts";

withHost("test");

const id = "careful" as AgentId;
const file = () => join(folders.dataDir, "agents", `${id}.json`);
const careful: Input<"agents.save"> = { id, name: "Careful", prompt: "Work.", interruptOn: { ls: true } };
const save = (change: Partial<Input<"agents.save">> = {}) =>
  console.client.call("agents.save", { ...careful, ...change });
const edit = (text: string) => writeFile(file(), text);

async function startThread() {
  await save();
  const threadId = await console.start("ls .", { agentId: id });
  await console.decide(await console.onePending(threadId), { type: "reject" });
  await console.untilRest(threadId);
  return threadId;
}

describe("an agent's file that is edited by hand while the app runs", () => {
  it("is what its threads go by from the next message on", async () => {
    const threadId = await startThread();
    await edit(JSON.stringify({ ...careful, interruptOn: {} }));
    await console.run(threadId, "ls .");
    expect((await console.toolCalls(threadId)).map(({ outcome }) => outcome)).toEqual(["rejected", "ok"]);
  });

  it("stops its threads with file, line and field when it is wrong, instead of going by other rules", async () => {
    const threadId = await startThread();
    await edit('{\n  "id": "careful",\n  "name": "Careful",\n  "prompt": 7\n}\n');
    expect((await console.client.call("agents.list", {})).problems).toMatchObject([
      { file: file(), line: 4, field: "prompt" },
    ]);
    await console.send(threadId, "ls .");
    const failed = await console.untilStatus(threadId, "failed");
    expect(failed.problem).toMatch(/careful\.json line 4, prompt: .*Mend its file, then resume\./);
    await save();
    await console.client.call("threads.resume", { commandId: newCommandId(), threadId });
    await console.decide(await console.onePending(threadId), { type: "reject" });
    await console.untilRest(threadId);
  });
});

describe("an agent that is removed while threads use it", () => {
  it("leaves them with the built-in agent, which is said once in each", async () => {
    const threadId = await startThread();
    await console.client.call("agents.remove", { id });
    await console.run(threadId, "ls .");
    await console.run(threadId, "ls .");
    const notices = (await console.notices(threadId)).map(({ level, text }) => `${level}: ${text}`);
    expect(notices).toEqual([
      expect.stringMatching(
        /^warning: The agent careful .* not there any more\. .* built-in agent Countersign/,
      ),
    ]);
    expect((await console.toolCalls(threadId)).at(-1)).toMatchObject({ tool: "ls", outcome: "ok" });
  });

  it("does not disturb what waits for a decision", async () => {
    await save();
    const threadId = await console.start("ls .", { agentId: id });
    const waiting = await console.onePending(threadId);
    await rm(file());
    await console.approve(waiting);
    expect(await console.untilRest(threadId)).toMatchObject({ status: "done" });
  });
});

describe("what a folder tells the agent of a thread", () => {
  it("is listed with whether the folder is trusted, as the agent gets it", async () => {
    await mkdir(join(folders.workspace, ".agents/skills/release"), { recursive: true });
    await writeFile(join(folders.workspace, ".agents/skills/release/SKILL.md"), "Ship.");
    await writeFile(join(folders.workspace, "AGENTS.md"), "Be brief.");
    const threadId = await console.start();
    const found = { files: ["AGENTS.md"], sizes: [9], skills: [".agents/skills/release"] };
    const ask = () => console.client.call("agents.context", { threadId });
    expect(await ask()).toMatchObject({ workspace: folders.workspace, trusted: false, ...found });
    await console.trust(folders.workspace);
    expect(await ask()).toMatchObject({ trusted: true, ...found });
  });
});
