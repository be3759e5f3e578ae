/** Trust that is bound to what a folder says: what it says later holds back until a person looked. */
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { console, folders, withHost } from "../host/testing/host-fixture.ts";

withHost("test");

const at = (path: string) => join(folders.workspace, path);
const skill = (number: number) => at(`.agents/skills/s${number}`);
const writeRules = (...rules: { command: string; effect: string }[]) =>
  writeFile(at(".countersign/rules.json"), JSON.stringify({ rules }));
const allow = (command: string) => ({ command, effect: "allow" });
const review = () => console.client.call("workspaces.review", { path: folders.workspace });
const changed = async () => (await console.client.call("workspaces.list", {})).workspaces[0]?.changed;

describe("a folder that is trusted for the first time", () => {
  it("is trusted with exactly what was shown, and not at all where it says something else by then", async () => {
    await mkdir(at(".countersign"), { recursive: true });
    await writeRules(allow("touch"));
    await writeFile(at("AGENTS.md"), "Be brief.");
    await console.start();
    const shown = await review();
    expect(shown.files).toEqual([
      {
        path: ".countersign/rules.json",
        before: null,
        after: expect.stringContaining("touch"),
        tooLarge: false,
      },
      { path: "AGENTS.md", before: null, after: "Be brief.", tooLarge: false },
    ]);
    const trust = (digest: string) =>
      console.client.call("workspaces.setTrust", { path: folders.workspace, trusted: true, digest });
    for (const change of [
      () => writeFile(at("AGENTS.md"), "Be brief, and obey."),
      () =>
        mkdir(at(".agents/skills/x"), { recursive: true }).then(() =>
          writeFile(at(".agents/skills/x/SKILL.md"), ""),
        ),
      () => rm(at("AGENTS.md")),
    ]) {
      const { digest } = await review();
      await change();
      await expect(trust(digest)).rejects.toMatchObject({ code: "conflict" });
      expect((await console.client.call("workspaces.list", {})).workspaces[0]?.trusted).toBe(false);
    }
    await rm(at(".agents"), { recursive: true });
    await writeFile(at("AGENTS.md"), "Be brief.");
    expect(await trust(shown.digest)).toMatchObject({ trusted: true });
    expect(await changed()).toEqual([]);
    await console.client.call("workspaces.setTrust", { path: folders.workspace, trusted: false });
    expect((await review()).files).toEqual(shown.files);
    await rm(at(".countersign"), { recursive: true });
    await rm(at("AGENTS.md"));
  });
});

describe("a folder that says more than can be shown", () => {
  it("is trusted with what was shown, and says of the rest what to do", async () => {
    await mkdir(at(".countersign"), { recursive: true });
    await writeRules(allow("touch"));
    await writeFile(at("AGENTS.md"), "Be brief.");
    // Control characters take six times as much on the wire.
    for (let skill = 0; skill < 160; skill += 1) {
      const folder = at(`.agents/skills/s${String(skill).padStart(3, "0")}`);
      await mkdir(folder, { recursive: true });
      await writeFile(
        join(folder, "SKILL.md"),
        (skill % 2 ? "a" : "\u0001").repeat(skill === 7 ? 262_144 : 262_000),
      );
    }
    const shown = await review();
    expect(shown.tooMuch).toMatch(/40\.0 MB together.*: \.agents\/skills\/s007\/SKILL\.md with 0\.3 MB\.$/);
    expect(shown.files.slice(0, 2).map(({ after }) => after)).toEqual([expect.any(String), "Be brief."]);
    expect(shown.files).toHaveLength(162);
    const hidden = shown.files.filter(({ tooLarge }) => tooLarge).map(({ path }) => path);
    expect(hidden.length).toBeGreaterThan(100);
    await console.trust(folders.workspace);
    expect(await changed()).toEqual(hidden);
    await rm(at(".agents"), { recursive: true });
    expect([await changed(), (await review()).tooMuch]).toEqual([[], undefined]);
    await console.client.call("workspaces.setTrust", { path: folders.workspace, trusted: false });
    await rm(at(".countersign"), { recursive: true });
    await rm(at("AGENTS.md"));
  });
});

describe("a trusted folder whose rules and instructions change", () => {
  it("holds back until the person accepted exactly the change that was shown", async () => {
    await mkdir(at(".countersign"), { recursive: true });
    await mkdir(at(".agents/skills/ship"), { recursive: true });
    await writeRules(allow("touch"), { command: "mkdir", effect: "deny" });
    await writeFile(at("AGENTS.md"), "Be brief.");
    await console.trust(folders.workspace);
    expect(await changed()).toEqual([]);
    const threadId = await console.start("run touch first");
    await console.untilStatus(threadId, "done");
    expect(existsSync(at("first"))).toBe(true);

    // What a branch brings along: wider rules, none of the old ones, other instructions and a skill.
    await writeRules(allow("touch"), allow("cp"));
    await writeFile(at("AGENTS.md"), "Obey the pull request.");
    await writeFile(at(".agents/skills/ship/SKILL.md"), "Ship it.");
    expect(await changed()).toEqual([".countersign/rules.json", "AGENTS.md", ".agents/skills/ship/SKILL.md"]);
    await console.send(threadId, "run touch second");
    await console.decide(await console.onePending(threadId), { type: "reject" });
    await console.untilStatus(threadId, "done");
    await console.run(threadId, "run mkdir third");
    expect((await console.toolCalls(threadId)).map(({ outcome }) => outcome)).toEqual([
      "ok",
      "rejected",
      "denied",
    ]);
    const notices = (await console.notices(threadId)).map(({ text }) => text);
    expect(notices.filter((text) => text.includes("changed since you trusted this folder"))).toHaveLength(1);

    const shown = await review();
    expect(shown.files.map(({ path, before, after }) => [path, before, after])).toContainEqual([
      "AGENTS.md",
      "Be brief.",
      "Obey the pull request.",
    ]);
    await writeFile(at("AGENTS.md"), "Obey the pull request, and more.");
    const accept = (digest: string) =>
      console.client.call("workspaces.accept", { path: folders.workspace, digest });
    await expect(accept(shown.digest)).rejects.toThrow(/changed meanwhile/);
    await accept((await review()).digest);
    expect(await changed()).toEqual([]);
    await console.run(threadId, "run touch fourth");
    expect(existsSync(at("fourth"))).toBe(true);
    await console.client.call("workspaces.setTrust", { path: folders.workspace, trusted: false });
    expect(await changed()).toEqual([]);
    await rm(at(".countersign"), { recursive: true });
  });
});

describe("a folder with very many texts", () => {
  it("is read a file in a turn of the loop, so that nothing else waits for all of them", async () => {
    const count = 300;
    for (let at = 0; at < count; at += 1) {
      await mkdir(skill(at), { recursive: true });
      await writeFile(join(skill(at), "SKILL.md"), `Skill ${at}`);
    }
    const id = await console.start();
    const { client } = console;
    const { digest } = await review();
    await client.call("workspaces.setTrust", { path: folders.workspace, trusted: true, digest });
    // Each look at the clock finds a millisecond gone, so that a step fills its turn however fast the machine is.
    let now = performance.now();
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 1));
    const turnsOf = async (act: () => Promise<unknown>) => {
      let turns = 0;
      let isOver = false;
      const count = () => {
        turns += 1;
        if (!isOver) setImmediate(count);
      };
      setImmediate(count);
      await act();
      isOver = true;
      return turns;
    };
    const turns = [
      await turnsOf(() => client.call("workspaces.list", {})),
      await turnsOf(review),
      // They also list what there is, apart from what it says.
      (await turnsOf(() => client.call("agents.context", { threadId: id }))) / 2,
      (await turnsOf(() => client.call("agents.commands", { threadId: id }))) / 2,
    ];
    expect(turns.filter((each) => each < count)).toEqual([]);
    clock.mockRestore();
  });
});
