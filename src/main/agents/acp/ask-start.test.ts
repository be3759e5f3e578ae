/** A program of others starts in a folder whose files it obeys only after a person saw what these files say. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { mayStartLater } from "./card-notes.ts";
import { readFolderSettings } from "./folder-settings.ts";
import { processesOf } from "./testing/marked-processes.ts";
import { approve, createOuterScene, reject } from "./testing/outer-scene.ts";

const scene = createOuterScene();

function put(file: string, text: string | Buffer): void {
  const path = join(scene.host.workspace, file);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
}
const start = () => scene.start("say hello");
const read = (folder: string, command: string, isGoverned = false) =>
  readFolderSettings(folder, { command, args: [] }, isGoverned);

it("shows the files that the program would obey, and starts nothing before a yes to just these", async () => {
  put(".claude/settings.json", '{"hooks":{"SessionStart":"touch hooked"}}');
  const first = start();
  const card = await scene.host.onePending(first);
  expect(card).toMatchObject({
    tool: "outer__execute",
    risk: "high",
    allowed: ["approve", "reject"],
    args: {
      places: [".claude/settings.json"],
      notes: [expect.stringContaining('"SessionStart":"touch hooked"')],
    },
  });
  expect(await processesOf(first)).toEqual([]);
  await scene.host.kill();
  const kept = await scene.host.onePending(first);
  expect([kept.id, kept.description]).toEqual([card.id, mayStartLater]);
  await scene.host.decide(kept, approve);
  await scene.host.untilStatus(first, "done");
  // The same files are known from then on, and others are not.
  const second = start();
  await scene.host.untilStatus(second, "done");
  put(".mcp.json", '{"mcpServers":{"x":{"command":"touch"}}}');
  scene.host.send(second, "say again");
  const changed = await scene.host.onePending(second);
  expect(changed.args.places).toEqual([".claude/settings.json", ".mcp.json"]);
  await scene.host.decide(changed, reject);
  await scene.host.untilStatus(second, "stopped");
  expect(await processesOf(second)).toEqual([]);
  // So of one that is governed: nobody knows of this program that it passes over them.
  const governed = scene.start("say hello", "governed");
  await scene.host.onePending(governed);
  expect([scene.levelOf(governed), await processesOf(governed)]).toEqual(["governed", []]);
});

it("asks anew when the files say something else by the time of the yes, or the same in another folder", async () => {
  put(".claude/settings.json", '{"hooks":{"SessionStart":"./harmless.sh"}}');
  const first = start();
  const card = await scene.host.onePending(first);
  put(".claude/settings.json", '{"hooks":{"SessionStart":"touch hooked"}}');
  await scene.host.decide(card, approve);
  await scene.host.until(() => scene.pending(first).some(({ id }) => id !== card.id));
  const anew = await scene.host.onePending(first);
  expect([JSON.stringify(anew.args), await processesOf(first)]).toEqual([
    expect.stringContaining("touch hooked"),
    [],
  ]);
  await scene.host.decide(anew, approve);
  await scene.host.untilStatus(first, "done");
  const other = join(scene.host.root, "copy");
  cpSync(scene.host.workspace, other, { recursive: true });
  scene.host.stores.threads.update(first, { workspace: other });
  scene.host.send(first, "say again");
  await scene.host.onePending(first);
});

it("starts nothing in a folder that is not trusted", async () => {
  await scene.openAnew({ isTrusted: () => false });
  const threadId = start();
  await scene.host.untilStatus(threadId, "failed");
  expect(scene.host.stores.threads.get(threadId).problem).toContain("Trust this folder first");
  expect([scene.heard(), await processesOf(threadId)]).toEqual([[], []]);
});

it("waits for a person also while the switch is on", async () => {
  put("opencode.json", '{"permission":"allow"}');
  const threadId = start();
  scene.host.engine.autoApprove.turnOn(threadId, 30, 50);
  await scene.host.onePending(threadId);
});

it("looks where each program looks, above as far as the repository goes", () => {
  const inner = join(scene.host.workspace, "a/b");
  mkdirSync(inner, { recursive: true });
  mkdirSync(join(scene.host.workspace, ".git"));
  put(".codex/config.toml", "[mcp_servers.x]");
  put("a/b/.opencode/plugin/x.js", "export {}");
  put("a/b/.opencode/node_modules/y/index.js", "");
  put("opencode.json", "{}");
  put("a/b/.mcp.json", "{}");
  put("a/b/.claude/skills/x/SKILL.md", "run me");
  put("a/b/.env", "GEMINI_CLI_SYSTEM_SETTINGS_PATH=evil.json");
  const filesFor = (command: string, isGoverned = false) =>
    read(inner, command, isGoverned)?.files.map(({ file }) => file) ?? [];
  expect(filesFor("/usr/bin/opencode")).toEqual([".opencode/plugin/x.js", "../../opencode.json"]);
  expect(filesFor("opencode", true)).toEqual([".opencode/plugin/x.js"]);
  expect(filesFor("codex-acp")).toEqual(["../../.codex/config.toml"]);
  expect(filesFor("claude-agent-acp")).toEqual([".claude/skills/x/SKILL.md", ".mcp.json"]);
  expect(filesFor("claude-agent-acp", true)).toEqual([]);
  expect(filesFor("gemini")).toEqual([".env"]);
  expect(filesFor("some-agent").sort()).toEqual([
    "../../.codex/config.toml",
    "../../opencode.json",
    ".claude/skills/x/SKILL.md",
    ".env",
    ".mcp.json",
    ".opencode/plugin/x.js",
  ]);
});

it("shows nothing of what a link leads to or a secret says, and has another digest when it says something else", () => {
  const outside = join(scene.host.root, "outside");
  mkdirSync(outside);
  put("../outside/config.toml", "[mcp_servers.harmless]");
  symlinkSync(outside, join(scene.host.workspace, ".codex"));
  symlinkSync("/dev/null", join(scene.host.workspace, ".mcp.json"));
  put(".env", "TOKEN=one");
  const look = (command: string) => read(scene.host.workspace, command)!;
  const texts = ["codex-acp", "claude-agent-acp", "gemini"].flatMap((command) => look(command).files);
  expect(texts).toEqual([
    { file: ".codex/config.toml", text: expect.stringContaining(join(outside, "config.toml")) },
    { file: ".mcp.json", text: "[Not shown: this is no plain file.]" },
    { file: ".env", text: expect.stringContaining("hold secrets") },
  ]);
  expect(JSON.stringify(texts)).not.toMatch(/harmless|TOKEN/);
  const before = [look("codex-acp").digest, look("gemini").digest];
  put("../outside/config.toml", "[mcp_servers.wicked]");
  put(".env", "TOKEN=two");
  for (const digest of [look("codex-acp").digest, look("gemini").digest])
    expect(before).not.toContain(digest);
});

it("takes what lies in the home for the person's own, and no credentials of it", () => {
  put(".codex/auth.json", "{}");
  put("opencode.json", "{}");
  const { workspace } = scene.host;
  const at = (command: string) =>
    readFolderSettings(workspace, { command, args: [] }, false, workspace)?.files.map(({ file }) => file);
  expect([at("codex-acp"), at("opencode")]).toEqual([undefined, ["opencode.json"]]);
});

it("has another digest for other bytes that look the same, or other words, and refuses what nobody could look through", () => {
  const digest = (args: string[] = []) =>
    readFolderSettings(scene.host.workspace, { command: "qwen", args }, false)!.digest;
  put(".qwen/x", Buffer.from([0xff]));
  const before = digest();
  expect(digest(["--yolo"])).not.toBe(before);
  put(".qwen/x", Buffer.from([0xfe]));
  expect(digest()).not.toBe(before);
  put(".qwen/x", "x".repeat(4 * 1024 * 1024 + 1));
  expect(digest).toThrow("larger than anybody");
  put(".qwen/x", "");
  for (let count = 0; count < 200; count += 1) put(`.qwen/${count}`, "");
  expect(digest).toThrow("more than 200 files");
});
