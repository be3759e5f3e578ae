/** A program of others starts in a folder whose files it obeys only after a person saw what these files say. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { mayStartLater } from "./card-notes.ts";
import { readFolderSettings } from "./folder-settings.ts";
import { processesOf } from "./testing/marked-processes.ts";
import { approve, createOuterScene, reject } from "./testing/outer-scene.ts";

const scene = createOuterScene();

function put(file: string, text: string): void {
  const path = join(scene.host.workspace, file);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
}
const start = () => scene.start("say hello");

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
});

it("waits for a person also while the switch is on", async () => {
  put("opencode.json", '{"permission":"allow"}');
  const threadId = start();
  scene.host.engine.autoApprove.turnOn(threadId, 30, 50);
  await scene.host.onePending(threadId);
});

it("looks where each program looks, above as far as the repository goes, and follows no link", () => {
  const inner = join(scene.host.workspace, "a/b");
  mkdirSync(inner, { recursive: true });
  mkdirSync(join(scene.host.workspace, ".git"));
  put(".codex/config.toml", "[mcp_servers.x]");
  put("a/b/.opencode/plugin/x.js", "export {}");
  put("a/b/.opencode/node_modules/y/index.js", "");
  put("opencode.json", "{}");
  symlinkSync("/etc/passwd", join(inner, ".mcp.json"));
  const filesFor = (command: string, isGoverned = false) =>
    readFolderSettings(inner, { command }, isGoverned)?.files.map(({ file }) => file) ?? [];
  expect(filesFor("/usr/bin/opencode")).toEqual([".opencode/plugin/x.js", "../../opencode.json"]);
  expect(filesFor("opencode", true)).toEqual([".opencode/plugin/x.js"]);
  expect(filesFor("codex-acp")).toEqual(["../../.codex/config.toml"]);
  expect(filesFor("claude-agent-acp")).toEqual([".mcp.json"]);
  expect(filesFor("claude-agent-acp", true)).toEqual([]);
  expect(filesFor("gemini")).toEqual([]);
  expect(filesFor("some-agent").sort()).toEqual([
    "../../.codex/config.toml",
    "../../opencode.json",
    ".mcp.json",
    ".opencode/plugin/x.js",
  ]);
  const [link] = readFolderSettings(inner, { command: "claude-agent-acp" }, false)!.files;
  expect(link!.text).toBe("[Not shown: this is no plain file.]");
});

it("has another digest for other bytes that it cannot show, and refuses what nobody could look through", () => {
  const digest = () => readFolderSettings(scene.host.workspace, { command: "qwen" }, false)!.digest;
  put(".qwen/large", `${"x".repeat(70_000)}a`);
  const before = digest();
  put(".qwen/large", `${"x".repeat(70_000)}b`);
  expect(digest()).not.toBe(before);
  for (let count = 0; count < 200; count += 1) put(`.qwen/${count}`, "");
  expect(digest).toThrow("more than 200 files");
});
