/** Conflicts of bringing a worktree home, answered file by file: real git, real files. */
import { existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ConflictSide } from "../../shared/contract/home.ts";
import { beginHome, commit, git, log, read, status } from "./testing/test-home.ts";
import { put, thread } from "./testing/test-worktrees.ts";

const person = { kind: "person" } as const;
const names = ["both é.txt", "gone here.txt", "gone there.txt", "new.txt"];

/** Both sides changed one file, each took one away that the other changed, and both made one. */
async function begin() {
  const home = await beginHome({
    "both é.txt": "one\n",
    "gone here.txt": "one\n",
    "gone there.txt": "one\n",
  });
  const { folder, tree } = home;
  rmSync(join(folder, "gone here.txt"));
  commit(folder, "mine", { "both é.txt": "mine\n", "gone there.txt": "mine\n", "new.txt": "mine\n" });
  rmSync(join(tree, "gone there.txt"));
  put(tree, {
    "both é.txt": "theirs\n",
    "gone here.txt": "theirs\n",
    "new.txt": "theirs\n",
    "plain.txt": "p\n",
  });
  const answers = (...sides: ConflictSide[]) => new Map(sides.map((side, at) => [names[at]!, side]));
  const see = (given?: ReturnType<typeof answers>) => home.desk.preview(thread, given);
  return { ...home, answers, see };
}

describe("conflicts", () => {
  it("close a merge and a patch until each has an answer, which is what the file becomes", async () => {
    const { see, answers, folder, desk, takeBacks } = await begin();
    const { plan } = await see(answers("thread", "thread"));
    expect(plan.conflicts.map(({ name, answer }) => [name, answer])).toEqual([
      ["both é.txt", "thread"],
      ["gone here.txt", "thread"],
      ["gone there.txt", undefined],
      ["new.txt", undefined],
    ]);
    expect([plan.ways.merge, plan.ways.patch]).toMatchObject([{ why: "conflicts" }, { why: "conflicts" }]);
    expect(await desk.conflict(thread, "both é.txt")).toEqual({ folder: "mine\n", thread: "theirs\n" });
    expect(await desk.conflict(thread, "gone here.txt")).toEqual({ folder: "", thread: "theirs\n" });

    const all = answers("thread", "thread", "thread", "folder");
    const { digest } = (await see(all)).plan;
    const other = answers("folder", "thread", "thread", "folder");
    for (const given of [undefined, other])
      await expect(desk.bring(thread, "merge", digest, "Mine", person, given)).rejects.toThrow(
        "as it was shown",
      );
    const done = await desk.bring(thread, "merge", digest, "Theirs", person, all);
    expect(["both é.txt", "gone here.txt", "new.txt", "plain.txt"].map((name) => read(folder, name))).toEqual(
      [...["theirs\n", "theirs\n", "mine\n", "p\n"]],
    );
    expect([existsSync(join(folder, "gone there.txt")), status(folder)]).toEqual([false, ""]);
    expect(git(folder, "log", "-1", "--format=%p").split(" ")).toHaveLength(2);
    await takeBacks.reverse(thread, done.id, person);
    expect([read(folder, "both é.txt"), log(folder), status(folder)]).toEqual([
      "mine\n",
      ["mine", "one"],
      "",
    ]);
  });

  it("keep all of the folder's where that is the answer, as a patch too", async () => {
    const { see, answers, folder, desk } = await begin();
    const mine = answers("folder", "folder", "folder", "folder");
    const { digest } = (await see(mine)).plan;
    await desk.bring(thread, "patch", digest, "-", person, mine);
    expect(["both é.txt", "gone there.txt", "new.txt"].map((name) => read(folder, name))).toEqual([
      ...["mine\n", "mine\n", "mine\n"],
    ]);
    expect([existsSync(join(folder, "gone here.txt")), status(folder)]).toEqual([false, "?? plain.txt"]);
  });

  it("with a link on one side, or a file in the place of a folder, are not answered here", async () => {
    const { folder, tree, desk } = await beginHome({ link: "a\n", "d/x": "x\n" });
    rmSync(join(tree, "link"));
    symlinkSync("elsewhere", join(tree, "link"));
    rmSync(join(tree, "d"), { recursive: true });
    put(tree, { d: "a file\n" });
    commit(folder, "mine", { link: "mine\n", "d/x": "mine\n" });
    const given = new Map([...["link", "d", "d/x"].map((name): [string, ConflictSide] => [name, "thread"])]);
    const { conflicts, ways } = (await desk.preview(thread, given)).plan;
    expect(conflicts.find(({ name }) => name === "link")).toMatchObject({
      isAnswerable: false,
      answer: undefined,
    });
    expect([ways.merge, ways.patch]).toMatchObject([{ why: "conflicts" }, { why: "conflicts" }]);
    rmSync(join(tree, "link"));
    put(tree, { link: "a\n" });
    const without = (await desk.preview(thread, given)).plan;
    expect(without.conflicts.map(({ name }) => name)).toContain("d/x");
    expect(without.ways.merge).toMatchObject({ why: "conflicts" });
  });
});
