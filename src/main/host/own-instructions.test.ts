/** What a person keeps in their home for agents of all folders, and the commands of folders: heard as they were looked at, and not before. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { ownPlace } from "../../shared/contract/workspaces.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { console, folders, withHost } from "./testing/host-fixture.ts";

const { reopen } = withHost("file");
afterAll(() => vi.unstubAllEnvs());

const home = () => join(folders.root, "home");
async function put(path: string, words: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, words);
}
const putOwn = (file: string, words: string) => put(join(home(), file), words);
const putInFolder = (file: string, words: string) => put(join(folders.workspace, file), words);

const list = () => console.client.call("workspaces.list", {});
const review = (path: string) => console.client.call("workspaces.review", { path });
const setTrust = async (path: string) =>
  console.client.call("workspaces.setTrust", { path, trusted: true, digest: (await review(path)).digest });
async function commands(): Promise<[string[], number]> {
  const threadId = await console.start();
  const answer = await console.client.call("agents.commands", { threadId });
  return [answer.commands.map((one) => `${one.name}: ${one.text}`), answer.notOffered];
}

/** All that the model is told with a message. @param begun the thread where it is not a new one */
async function told(begun?: ThreadId): Promise<string> {
  let body = "";
  const server = createServer(async (request, response) => {
    body += await text(request);
    response.writeHead(401, { "content-type": "application/json" });
    response.end('{"error":{"message":"no such key","code":"invalid_api_key"}}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const threadId = begun ?? (await console.start());
  const model = { provider: "openai-compatible" as const, model: "any", baseUrl };
  await console.client.call("threads.setModel", { threadId, model });
  expect(await console.run(threadId, "hello")).toMatchObject({ status: "failed" });
  server.close();
  return body;
}

beforeEach(async () => {
  vi.stubEnv("HOME", home());
  vi.stubEnv("USERPROFILE", home());
  await rm(home(), { recursive: true, force: true });
  await rm(join(folders.workspace, ".agents"), { recursive: true, force: true });
  await mkdir(home());
  await reopen();
});

it("offers no command of a folder or of the home before each was trusted, and none that changed since", async () => {
  await putOwn(".agents/commands/ship.md", "Ship as I do.");
  await putOwn(".agents/skills/tidy/SKILL.md", "Tidy up.");
  await putInFolder(".agents/commands/ship.md", "Ship it there.");
  await putInFolder(".agents/commands/test.md", "Test it.");
  await putInFolder(".agents/skills/lint/SKILL.md", "Lint.");
  expect(await commands()).toEqual([[], 5]);
  expect((await review(folders.workspace)).files.map(({ path }) => path)).toEqual([
    ".agents/skills/lint/SKILL.md",
    ".agents/commands/ship.md",
    ".agents/commands/test.md",
  ]);
  await setTrust(folders.workspace);
  const lint = "lint: Use the skill lint: read .agents/skills/lint/SKILL.md and follow it.";
  expect(await commands()).toEqual([["ship: Ship it there.", "test: Test it.", lint], 2]);
  await setTrust(ownPlace);
  const tidy = "tidy: Follow the skill tidy (~/.agents/skills/tidy/SKILL.md):\n\nTidy up.";
  expect(await commands()).toEqual([["ship: Ship as I do.", tidy, "test: Test it.", lint], 1]);
  // What a branch or an agent wrote since is not offered.
  await putInFolder(".agents/commands/test.md", "Obey.");
  await putOwn(".agents/commands/ship.md", "Obey.");
  await putOwn(".agents/skills/tidy/SKILL.md", "Obey.");
  expect(await commands()).toEqual([["ship: Ship it there.", lint], 3]);
  await console.client.call("workspaces.setTrust", { path: folders.workspace, trusted: false });
  expect(await commands()).toEqual([[], 5]);
  await console.client.call("workspaces.setTrust", { path: ownPlace, trusted: false });
});

it("trusts one's own with exactly what was shown, and shows them where the folder's are shown", async () => {
  expect((await list()).own).toBeUndefined();
  await putOwn(".agents/AGENTS.md", "Be brief.");
  await putOwn(".claude/CLAUDE.md", "Be kind.");
  const threadId = await console.start();
  const context = () => console.client.call("agents.context", { threadId });
  const own = { files: [".agents/AGENTS.md", ".claude/CLAUDE.md"], sizes: [9, 8] };
  expect((await context()).own).toEqual({ ...own, trusted: false, changed: [] });
  expect((await list()).own).toMatchObject({ path: ownPlace, trusted: false });
  const shown = await review(ownPlace);
  expect(shown.files.map(({ path, after }) => [path, after])).toEqual([
    [".agents/AGENTS.md", "Be brief."],
    [".claude/CLAUDE.md", "Be kind."],
  ]);
  await putOwn(".agents/AGENTS.md", "Be brief, and obey.");
  const trust = { path: ownPlace, trusted: true as const, digest: shown.digest };
  await expect(console.client.call("workspaces.setTrust", trust)).rejects.toMatchObject({ code: "conflict" });
  expect((await list()).own?.trusted).toBe(false);
  expect(await told()).not.toContain("Be kind.");
  await setTrust(ownPlace);
  expect((await context()).own).toMatchObject({ trusted: true, changed: [] });
  expect(await told()).toMatch(/for all folders \(~\/.agents\/AGENTS.md\):.*Be brief, and obey\..*Be kind\./);
  // A folder is not trusted by that.
  expect((await list()).workspaces.every(({ trusted }) => !trusted)).toBe(true);

  await putOwn(".claude/CLAUDE.md", "Obey.");
  expect((await context()).own).toMatchObject({ trusted: true, changed: [".claude/CLAUDE.md"] });
  const withheld = await told();
  expect([withheld.includes("obey."), withheld.includes("Obey.")]).toEqual([true, false]);
  await console.run(threadId, "say hello");
  const notices = (await console.notices(threadId)).map((one) => one.text);
  expect(notices.filter((text) => text.startsWith("~/.claude/CLAUDE.md changed since"))).toHaveLength(1);
  const { digest } = await review(ownPlace);
  await console.client.call("workspaces.accept", { path: ownPlace, digest });
  expect((await list()).own?.changed).toEqual([]);
});

it("tells of a folder with each turn just what was looked at, also in a thread that was told something else before", async () => {
  const threadId = await console.start();
  const says = async () => {
    const body = await told(threadId);
    return [
      "Be brief.",
      "Be kind.",
      "Obey.",
      "Another skill.",
      "First skill.",
      "Second skill.",
      "Unseen skill.",
    ].filter((words) => body.includes(words));
  };
  const putSkill = (path: string, about: string) =>
    putInFolder(`${path}/SKILL.md`, `---\nname: ${basename(path)}\ndescription: ${about}\n---\nDo it.`);
  const accept = async () => {
    const { digest } = await review(folders.workspace);
    await console.client.call("workspaces.accept", { path: folders.workspace, digest });
  };
  await putInFolder("AGENTS.md", "Be brief.");
  await putInFolder(".claude/CLAUDE.md", "Be kind.");
  expect(await says()).toEqual([]);
  await setTrust(folders.workspace);
  expect(await says()).toEqual(["Be brief.", "Be kind."]);
  await putInFolder("AGENTS.md", "Obey.");
  expect(await says()).toEqual(["Be kind."]);
  await accept();
  expect(await says()).toEqual(["Be kind.", "Obey."]);
  await putSkill(".claude/skills/other", "Another skill.");
  await accept();
  for (const about of ["First skill.", "Second skill."]) {
    await putSkill(".agents/skills/lint", about);
    expect(await says()).toEqual(["Be kind.", "Obey.", "Another skill."]);
    await accept();
    expect(await says()).toEqual(["Be kind.", "Obey.", "Another skill.", about]);
  }
  // Which is no folder of skills but takes the place of all in it, and no skill that anybody is shown.
  await putSkill(".agents/skills", "Unseen skill.");
  expect((await review(folders.workspace)).files).toEqual([]);
  expect(await says()).not.toContain("Unseen skill.");
  await console.client.call("workspaces.setTrust", { path: folders.workspace, trusted: false });
  expect(await says()).toEqual([]);
  await rm(join(folders.workspace, "AGENTS.md"));
  await rm(join(folders.workspace, ".claude"), { recursive: true });
});
