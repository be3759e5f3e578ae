/** What an agent could leave in its worktree or in git's store for the moment in which a person brings it home. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { homeContract } from "../../shared/contract/home.ts";
import type { HomeDesk } from "../engine/home-desk.ts";
import type { TakeBacks } from "../undo/take-backs.ts";
import { createRepositoryMover } from "./move-repository.ts";
import { safeGit } from "./safe-git.ts";
import { git, log, openHome, status } from "./testing/test-home.ts";
import { gitEnv, put, thread } from "./testing/test-worktrees.ts";

const person = { kind: "person" } as const;
let folder: string;
let tree: string;
let desk: HomeDesk;
let takeBacks: TakeBacks;

beforeEach(() => {
  folder = join(realpathSync(mkdtempSync(join(tmpdir(), "countersign-hostile-"))), "folder");
});

async function begin(files: Record<string, string> = {}): Promise<void> {
  ({ tree, desk, takeBacks } = await openHome(join(folder, ".."), folder, files));
}

const look = async () => (await desk.preview(thread)).plan;
const bring = async (way: "merge" | "rebase" | "patch" | "keep") =>
  desk.bring(thread, way, (await look()).digest, "Mine", person);

/** The id of a content that git stores. */
const store = (text: string) =>
  execFileSync("git", ["hash-object", "-w", "--stdin"], { cwd: tree, env: gitEnv, input: text })
    .toString()
    .trim();

/** @param date when it says it was made */
function commit(cwd: string, message: string, files: Record<string, string>, date?: string): void {
  put(cwd, files);
  git(cwd, "add", "-A");
  const env = { ...gitEnv, ...(date && { GIT_COMMITTER_DATE: date }) };
  execFileSync("git", ["commit", "-q", "-m", message], { cwd, env });
}

/** A graph of commits, as git stores it, in which one commit follows another than it names. */
function withParent(graph: Buffer, commitId: string, parent: string): Buffer {
  const entries = Array.from({ length: graph[6]! }, (_, at) => 8 + 12 * at);
  const chunks = new Map(
    entries.map((at) => [graph.toString("latin1", at, at + 4), Number(graph.readBigUInt64BE(at + 4))]),
  );
  const ids = chunks.get("OIDL")!;
  const placeOf = (id: string) => (graph.indexOf(Buffer.from(id, "hex"), ids) - ids) / 20;
  const at = placeOf(commitId);
  graph.writeUInt32BE(placeOf(parent), chunks.get("CDAT")! + 36 * at + 20);
  // By how much it counts as younger than it says.
  graph.writeUInt32BE(1_000, chunks.get("GDA2")! + 4 * at);
  return graph;
}

describe("what is shown", () => {
  it("names a file whose mend the agent took back, whichever of two common commits is the younger", async () => {
    await begin({ "f.txt": "weak\n" });
    commit(tree, "work", { "work.txt": "w\n" }, "2040-01-01T00:00:00Z");
    commit(folder, "mend", { "f.txt": "mended\n" });
    const mend = git(folder, "rev-parse", "HEAD");
    git(folder, "merge", "-q", "--no-edit", "countersign/fix-the-rows");
    git(tree, "merge", "-q", "--no-commit", mend);
    commit(tree, "took yours in", { "f.txt": "weak\n", "more.txt": "m\n" });
    const { changes, ways } = await look();
    expect(changes.map(({ name }) => name)).toEqual(["f.txt", "more.txt"]);
    expect(ways.merge).toMatchObject({ moves: [{ name: "f.txt" }, { name: "more.txt" }] });
  });
});

describe("what is put back", () => {
  const long = `${"folder/".repeat(40)}file.txt`;
  const lines = (mark: string) =>
    Array.from({ length: 30 }, (_, at) => (at % 20 === 1 ? mark : `${at}`)).join("\n");

  it("is the piece that was shown, also where comparing took too long for it to be one", async () => {
    await begin({ [long]: lines("a") });
    put(tree, { [long]: lines("b") });
    const shown = await desk.file(thread, long);
    expect(shown.hunks).toHaveLength(2);
    let now = 0;
    vi.spyOn(Date, "now").mockImplementation(() => (now += 1_000));
    const whole = await desk.file(thread, long);
    expect(whole.hunks).toHaveLength(1);
    await expect(desk.putBack(thread, long, shown.version, 0, person)).rejects.toThrow("not as it was shown");
    vi.restoreAllMocks();
    await expect(desk.putBack(thread, long, whole.version, 0, person)).rejects.toThrow("not as it was shown");
    const sent = { threadId: thread, path: long, version: shown.version, hunk: 1 };
    expect(homeContract["home.putBack"].input.parse(sent)).toEqual(sent);
    await desk.putBack(thread, long, shown.version, 1, person);
    expect(readFileSync(join(tree, long), "utf8")).toBe(lines("b").replace(/b(?=[^b]*$)/, "a"));
  });
});

describe("what the person staged", () => {
  it("stays where a file would take the place of its folder, or a folder its place", async () => {
    await begin();
    put(folder, { "new/staged.txt": "mine\n", sub: "mine\n" });
    git(folder, "add", "-A");
    for (const name of ["new", "sub"]) rmSync(join(folder, name), { recursive: true });
    put(tree, { new: "theirs\n", "sub/file.txt": "theirs\n" });
    expect((await look()).ways.merge).toEqual({ why: "in-the-way", files: ["new", "sub/file.txt"] });
  });

  it("stays when what was brought home is undone", async () => {
    await begin({ gone: "g\n" });
    rmSync(join(tree, "gone"));
    const done = await bring("merge");
    put(folder, { "gone/staged.txt": "mine\n" });
    git(folder, "add", "-A");
    rmSync(join(folder, "gone"), { recursive: true });
    await expect(takeBacks.reverse(thread, done.id, person)).rejects.toMatchObject({ code: "stale" });
    expect([git(folder, "show", ":gone/staged.txt"), log(folder)[0]]).toEqual(["mine", "Mine"]);
  });
});

describe("an index that somebody holds", () => {
  it("keeps branches and the other index from moving, which an agent's lock could keep from going back", async () => {
    await begin();
    put(tree, { "new.txt": "n\n" });
    const [lock, index] = [join(folder, ".git/index.lock"), join(folder, ".git/worktrees/folder/index")];
    writeFileSync(lock, "");
    const before = lstatSync(index).ino;
    await expect(bring("merge")).rejects.toThrow("Git is at work");
    expect(lstatSync(index).ino).toBe(before);
    expect(git(folder, "reflog", "show", "countersign/fix-the-rows")).not.toContain("bring home");
    rmSync(lock);
    await bring("merge");
    expect(git(folder, "reflog", "show", "countersign/fix-the-rows")).toContain("bring home");
    expect(lstatSync(index).ino).not.toBe(before);
  });
});

describe("the way back from where the app ended", () => {
  it("moves branches back also where the person switched to another since, and leaves no lock", async () => {
    await begin();
    put(tree, { "new.txt": "n\n" });
    const { what } = await bring("merge");
    git(folder, "checkout", "-q", "-b", "other", "main^");
    const [lock, mark] = ["index", `countersign-${what.repository!.id}`].map((name) =>
      join(folder, ".git", `${name}.lock`),
    );
    writeFileSync(mark!, "");
    linkSync(mark!, lock!);
    const left: string[] = [];
    const move = createRepositoryMover(safeGit, join(folder, ".."));
    await move(what.repository!, "back", (name) => void left.push(name));
    expect([left, git(folder, "log", "--format=%s", "main", "countersign/fix-the-rows")]).toEqual([
      ["main"],
      "one",
    ]);
    expect([existsSync(lock!), existsSync(mark!), status(folder), status(tree)]).toEqual([
      false,
      false,
      "",
      "?? new.txt",
    ]);
  });
});

describe("a submodule", () => {
  it("gets no files in its folder, and takes no place of a file", async () => {
    await begin();
    put(folder, { "mod/own": "mine\n" });
    git(join(folder, "mod"), "init", "-q");
    commit(join(folder, "mod"), "in", {});
    commit(folder, "a module", {});
    git(tree, "merge", "-q", "main");
    git(tree, "rm", "-q", "--cached", "mod", "a.txt");
    rmSync(join(tree, "mod"), { recursive: true });
    put(tree, { "mod/file": "f\n" });
    git(tree, "add", "mod/file");
    git(tree, "update-index", "--add", "--cacheinfo", `160000,${git(tree, "rev-parse", "HEAD")},a.txt`);
    git(tree, "commit", "-q", "-m", "odd");
    expect((await look()).ways.merge).toEqual({ why: "cannot-write", files: ["a.txt", "mod/file"] });
  });
});

it("writes messages as what they are, whatever the settings say of their letters", async () => {
  await begin();
  git(folder, "config", "i18n.commitEncoding", "ISO-8859-1");
  put(tree, { "new.txt": "n\n" });
  await desk.bring(thread, "keep", (await look()).digest, "-Größe %s", person);
  expect(git(tree, "cat-file", "commit", "HEAD")).toMatch(/committer [^\n]*\n\n-Größe %s$/);
});

describe("git's store", () => {
  it("has no say in which commits another one follows: the person's own stay in the branch", async () => {
    await begin();
    commit(folder, "mine", { "mine.txt": "m\n" });
    commit(tree, "theirs", { "new.txt": "n\n" });
    mkdirSync(join(folder, ".git/info"), { recursive: true });
    const grafts = join(folder, ".git/info/grafts");
    writeFileSync(grafts, `${git(tree, "rev-parse", "HEAD")} ${git(folder, "rev-parse", "HEAD")}\n`);
    await bring("merge");
    rmSync(grafts);
    expect(log(folder)).toContain("mine");
  });

  it("has none in a graph of commits that says otherwise than they do either", async () => {
    await begin();
    commit(folder, "mine", { "mine.txt": "m\n" });
    commit(tree, "theirs", { "new.txt": "n\n" });
    commit(tree, "more", { "more.txt": "n\n" });
    git(folder, "commit-graph", "write", "--reachable");
    const graph = join(folder, ".git/objects/info/commit-graph");
    chmodSync(graph, 0o644);
    writeFileSync(
      graph,
      withParent(readFileSync(graph), git(tree, "rev-parse", "HEAD^"), git(folder, "rev-parse", "HEAD")),
    );
    await bring("merge");
    rmSync(graph);
    expect(log(folder)).toContain("mine");
  });

  it("brings no content but the one that was shown, whatever stands under its id by then", async () => {
    await begin({ ".gitattributes": "crlf.txt text eol=crlf\n" });
    commit(tree, "theirs", { "new.txt": "shown\n", "crlf.txt": "one\r\ntwo\r\n" });
    const { digest } = await look();
    expect((await desk.file(thread, "new.txt")).hunks).toMatchObject([{ after: "shown\n" }]);
    const id = git(tree, "rev-parse", "HEAD:new.txt");
    const file = join(folder, ".git/objects", id.slice(0, 2), id.slice(2));
    const kept = readFileSync(file);
    chmodSync(file, 0o644);
    writeFileSync(file, deflateSync(Buffer.from("blob 6\0other\n")));
    await expect(desk.bring(thread, "merge", digest, "Mine", person)).rejects.toThrow("store is damaged");
    await expect(desk.file(thread, "new.txt")).rejects.toThrow("store is damaged");
    expect([log(folder), existsSync(join(folder, "new.txt"))]).toEqual([["one"], false]);
    writeFileSync(file, kept);
    await bring("merge");
    expect(readFileSync(join(folder, "crlf.txt"), "utf8")).toBe("one\r\ntwo\r\n");
  });

  it("stands without a store that ours borrowed objects of", async () => {
    await begin();
    const lent = join(folder, "../lent");
    mkdirSync(lent);
    mkdirSync(join(folder, ".git/objects/info"), { recursive: true });
    writeFileSync(join(folder, ".git/objects/info/alternates"), `${lent}\n`);
    put(tree, { "new.txt": "theirs\n" });
    const borrowing = { ...gitEnv, GIT_OBJECT_DIRECTORY: lent };
    for (const args of [
      ["add", "-A"],
      ["commit", "-q", "-m", "theirs"],
    ])
      execFileSync("git", args, {
        cwd: tree,
        env: { ...borrowing, GIT_ALTERNATE_OBJECT_DIRECTORIES: join(folder, ".git/objects") },
      });
    await bring("merge");
    rmSync(lent, { recursive: true });
    rmSync(join(folder, ".git/objects/info/alternates"));
    expect(git(folder, "fsck", "--connectivity-only", "main")).toBe("");
    expect(log(folder)).toEqual(["theirs", "one"]);
  });

  it.skipIf(process.platform === "win32")("waits for no pipe in the place of what git reads", async () => {
    await begin({ "sub/a.txt": "a\n" });
    execFileSync("mkfifo", [join(tree, "sub/.gitattributes")]);
    await expect(look()).rejects.toThrow("sub/.gitattributes is a pipe or another special file");
  });

  it("writes no file in another encoding than it was shown in", async () => {
    await begin();
    const script = Buffer.from("#!/bin/sh\n: evil\n", "utf8");
    commit(tree, "theirs", { "run.sh": script.toString("utf16le"), "plain.sh": "plain\n" });
    mkdirSync(join(folder, ".git/info"), { recursive: true });
    writeFileSync(
      join(folder, ".git/info/attributes"),
      "run.sh working-tree-encoding=UTF-16LE\nplain.sh working-tree-encoding=UTF-8\n",
    );
    expect((await look()).ways.patch).toEqual({ why: "cannot-write", files: ["run.sh"] });
  });

  it("brings no name that another disk takes for git's own folder, whatever the settings say", async () => {
    await begin();
    git(tree, "config", "core.protectNTFS", "false");
    git(tree, "config", "core.protectHFS", "false");
    const names = [".g\u200cit/config", ".git /config", "GIT~1/config"];
    for (const name of names)
      git(tree, "update-index", "--add", "--cacheinfo", `100644,${store("[core]\n")},${name}`);
    git(tree, "commit", "-q", "-m", "odd");
    expect((await look()).ways.merge).toEqual({ why: "cannot-write", files: names.sort() });
    expect((await safeGit({ cwd: tree }, ["read-tree", "HEAD"])).why).toContain("invalid path");
  });
});
