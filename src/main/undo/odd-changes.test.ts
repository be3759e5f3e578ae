/** Changes that are easily missed: names, places and kinds of files that change while their content does not. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openUndo, person, threadId, treeOf, turn } from "./testing/test-undo.ts";

const one = turn("one");

/** What a command does in its folder. */
const lines = {
  "a move across folders": "mkdir new && mv deep/in/a new/b && mv deep/in/c .",
  "a folder renamed": "mv deep other && mv other/in other/out",
  "case alone": "mv readme aside && mv aside README",
  "permissions alone": "chmod 755 readme && chmod 400 bytes && chmod 600 deep/in/a",
  bytes: "printf '\\377\\0\\1' > bytes && printf '\\0' > more",
  "odd names": `mv 'a b' "$(printf 'new\\nline')" && touch -- '-x' '"' '\\' ' '`,
  "a file where a folder was": "rm -r deep && echo x > deep",
  "places changed": "mv readme t && mv bytes readme && mv t bytes",
  emptied: ": > readme",
  "made anew": "cp -p readme again && rm readme && mv again readme && echo more >> readme",
};

describe.skipIf(process.platform === "win32")("what a command did", () => {
  it("comes back and goes forth again, each in a folder of its own", async () => {
    const undo = await openUndo();
    for (const name of Object.keys(lines)) {
      for (const path of ["readme", "a b", "deep/in/a", "deep/in/c"])
        undo.put(`${name}/${path}`, `of ${path}`);
      undo.put(`${name}/bytes`, Buffer.from([0, 1, 2, 255]));
    }
    const before = treeOf(undo.root);
    const all = Object.entries(lines).map(([name, line]) => `(cd '${name}' && ${line})`);
    await undo.command(one, all.join(" && "));
    const after = treeOf(undo.root);
    expect((await undo.takeBacks.preview(undo.placeOf(one))).stays).toEqual([]);
    const { id } = await undo.takeBack(one);
    expect(treeOf(undo.root)).toEqual(before);
    await undo.takeBacks.reverse(threadId, id, person);
    expect(treeOf(undo.root)).toEqual(after);
    await undo.takeBack(one);
    expect(treeOf(undo.root)).toEqual(before);
  });

  it("comes back into a folder that is gone, and not through a link or a file that has its place", async () => {
    const undo = await openUndo();
    for (const path of ["gone/a", "link/a", "file/a"]) undo.put(path, "as it was");
    await undo.command(one, "echo x > gone/a; rm link/a file/a gone/a");
    for (const folder of ["gone", "link", "file"]) rmSync(join(undo.root, folder), { recursive: true });
    symlinkSync(undo.outside, join(undo.root, "link"));
    writeFileSync(join(undo.root, "file"), "a person's");
    const { stays } = await undo.takeBacks.preview(undo.placeOf(one));
    expect(stays.map(({ path, why }) => `${path.slice(undo.root.length + 1)}: ${why}`)).toEqual([
      "file/a: in-the-way",
      "link/a: in-the-way",
    ]);
    await undo.takeBack(one);
    expect(readFileSync(join(undo.root, "gone/a"), "utf8")).toBe("as it was");
    expect([existsSync(join(undo.outside, "a")), readFileSync(join(undo.root, "file"), "utf8")]).toEqual([
      false,
      "a person's",
    ]);
  });

  it.skipIf(process.platform === "darwin")(
    "to names that are no text is named, and stays as it is",
    async () => {
      const undo = await openUndo();
      const run = (line: string) =>
        execFileSync("bash", ["-c", line], { cwd: undo.root, encoding: "latin1" });
      const list = 'for f in *; do echo "$f" $(cat "$f"); done';
      undo.put("\uFFFD", "text all the same");
      run("mkdir in; echo a > $'in/\\xff'; echo a > $'in/\\xfe'; echo a > $'g\\xff'; echo a > $'same\\xff'");
      await undo.command(
        one,
        "echo b > $'in/\\xff'; rm $'g\\xff'; echo b > $'m\\xff'; echo b > text; echo b > $'\\xef\\xbf\\xbd'",
      );
      const { back, stays } = await undo.takeBacks.preview(undo.placeOf(one));
      const named = (path: string) => path.slice(undo.root.length + 1);
      expect(back.map(({ path }) => named(path))).toEqual(["text"]);
      expect(stays.map(({ path, why }) => [named(path), why])).toEqual(
        ["g\uFFFD", "in/\uFFFD", "m\uFFFD", "\uFFFD"].map((name) => [name, "nameless"]),
      );
      expect((await undo.tracker.list(threadId)).map(({ path }) => path)).toEqual(["text"]);
      await undo.takeBack(one);
      expect(run(`${list}; cd in; ${list}`).split("\n").sort()).toEqual(
        ["", "in", "m\xff b", "same\xff a", "\xef\xbf\xbd b", "\xfe a", "\xff b"].sort(),
      );
    },
  );

  it("in a folder whose place a link has that leads nowhere or round in a circle is named, and the rest comes back", async () => {
    const undo = await openUndo();
    for (const name of ["gone/a.txt", "round/a.txt", "rest.txt"]) undo.put(name, "before");
    const links = "ln -s ../nowhere gone; ln -s round round";
    await undo.command(one, `rm -r gone round; ${links}; echo after > rest.txt`);
    const { back, stays } = await undo.takeBacks.preview(undo.placeOf(one));
    const named = (path: string) => path.slice(undo.root.length + 1);
    expect(back.map(({ path }) => named(path))).toEqual(["rest.txt"]);
    expect(stays.map(({ path, why }) => [named(path), why])).toEqual([
      ["gone", "link"],
      ["gone/a.txt", "in-the-way"],
      ["round", "link"],
      ["round/a.txt", "in-the-way"],
    ]);
    await undo.takeBack(one);
    expect(readFileSync(join(undo.root, "rest.txt"), "utf8")).toBe("before");
  });

  it("in a folder whose place a pipe has is named, and the rest comes back", async () => {
    const undo = await openUndo();
    for (const name of ["gone/in/a", "rest"]) undo.put(name, "before");
    await undo.command(one, "rm -r gone; mkfifo gone; echo after > rest");
    const { back, stays } = await undo.takeBacks.preview(undo.placeOf(one));
    expect(back.map(({ path }) => path)).toEqual([join(undo.root, "rest")]);
    expect(stays).toEqual([{ path: join(undo.root, "gone/in/a"), why: "in-the-way" }]);
    await undo.takeBack(one);
    expect(readFileSync(join(undo.root, "rest"), "utf8")).toBe("before");
  });

  it("to a file, and later to a folder that a person had put into its place, is undone but for what was in there", async () => {
    const undo = await openUndo();
    undo.put("a", "before");
    undo.put("rest", "before");
    await undo.command(one, "rm a");
    undo.put("a/in", "a person's");
    await undo.command(one, "rm -r a; echo after > rest");
    const { stays } = await undo.takeBacks.preview(undo.placeOf(one));
    expect(stays).toEqual([{ path: join(undo.root, "a/in"), why: "in-the-way" }]);
    await undo.takeBack(one);
    expect(["a", "rest"].map((name) => readFileSync(join(undo.root, name), "utf8"))).toEqual([
      "before",
      "before",
    ]);
  });

  it.skipIf(process.platform === "darwin")("to links whose names are no text is named as well", async () => {
    const undo = await openUndo();
    const run = (line: string) => execFileSync("bash", ["-c", line], { cwd: undo.root });
    run("ln -s there $'gone\\xff'; ln -s there $'turned\\xff'; ln -s there $'same\\xff'");
    await undo.command(one, "rm $'gone\\xff'; ln -sfn x $'turned\\xff'; ln -s x $'made\\xff'; echo b > text");
    const { back, stays } = await undo.takeBacks.preview(undo.placeOf(one));
    const named = (path: string) => path.slice(undo.root.length + 1);
    expect(back.map(({ path }) => named(path))).toEqual(["text"]);
    expect(stays.map(({ path, why }) => [named(path), why])).toEqual(
      ["gone\uFFFD", "made\uFFFD", "turned\uFFFD"].map((name) => [name, "nameless"]),
    );
  });
});
