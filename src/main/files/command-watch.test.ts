/** What real commands do to real files shows up in the thread that ran them, and can be taken back. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { openShellFixture } from "../shell/testing/open-shell.ts";
import { openChangeFile } from "./change-store.ts";
import { createChangeTracker } from "./change-tracker.ts";
import { createCommandWatch } from "./command-watch.ts";
import { StaleFileError } from "./file-error.ts";
import { createOriginalBlobs } from "./original-blobs.ts";
import { makeWorkspace } from "./testing/test-workspace.ts";
import { createWorkspaceFiles } from "./workspace-files.ts";

async function setUp() {
  const workspace = makeWorkspace();
  const { base, root } = workspace;
  const open = async () =>
    createChangeTracker(
      createOriginalBlobs(join(base, "data")),
      await openChangeFile(join(base, "changes.jsonl")),
    );
  const tracker = await open();
  mkdirSync(join(root, "own"));
  const problems: unknown[] = [];
  const watch = createCommandWatch(tracker, join(root, "own"), (error) => problems.push(error));
  onTestFinished(async () => {
    await watch.close();
    expect(problems).toEqual([]);
  });
  const { start } = openShellFixture();
  const run = (command: string, threadId = "t1") =>
    watch.around(threadId, root, async () => {
      const { exitCode, output } = await (await start(command, { cwd: root })).done;
      expect(output === "" || exitCode === 0, output).toBe(true);
    });
  const list = async (threadId = "t1") =>
    (await tracker.list(threadId)).map(
      (file) => `${file.path} ${file.state} +${file.added} -${file.removed}`,
    );
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  return { ...workspace, open, tracker, watch, run, list, read };
}

/** A repository with one commit of what is in the folder. */
function commitAll(root: string): void {
  const git = (...args: string[]) => execFileSync("git", ["-C", root, ...args]);
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "first");
}

describe("files changed by commands", () => {
  it("are found for a command that ends before its own beginning was answered", async () => {
    const { watch, put, list, root } = await setUp();
    await watch.lookAhead(root);
    await watch.around("t1", root, async () => put("quick.txt", "one\n"));
    expect(await list()).toEqual(["quick.txt added +1 -0"]);
  });

  it("are told from what was there when a command was announced, but not from what the app wrote since", async () => {
    const { tracker, watch, put, run, list, root } = await setUp();
    await watch.lookAhead(root);
    put("meanwhile.txt", "one\n");
    await run("true");
    expect(await list()).toEqual(["meanwhile.txt added +1 -0"]);
    await watch.lookAhead(root);
    const files = createWorkspaceFiles(root);
    const request = { operation: "write", path: "own.txt", content: "two\n" } as const;
    const observer = tracker.observe("t2", root);
    await files.applyChange(request, await files.planChange(request), { observer });
    await run("true", "t3");
    expect(await list("t3")).toEqual([]);
  });

  it("are listed with their lines and can each be put back", async () => {
    const { tracker, put, run, list, read, root } = await setUp();
    put("edited.txt", "one\ntwo\n");
    put("moved.txt", "whole\n");
    put("bin/run.sh", "echo hi\n");
    chmodSync(join(root, "bin/run.sh"), 0o750);
    await run(
      "sed -i.old s/two/2/ edited.txt && rm edited.txt.old && mv moved.txt there.txt && rm -r bin && mkdir gen && seq 3 > gen/n",
    );
    expect(await list()).toEqual([
      "bin/run.sh deleted +0 -1",
      "edited.txt changed +1 -1",
      "gen/n added +3 -0",
      "moved.txt deleted +0 -1",
      "there.txt added +1 -0",
    ]);
    expect(await tracker.diff("t1", "edited.txt")).toMatchObject({ before: "one\ntwo\n", after: "one\n2\n" });
    for (const { path, byCommand, putBack } of await tracker.list("t1")) {
      expect([path, byCommand, putBack]).toEqual([path, true, "possible"]);
      await tracker.revert("t1", path);
    }
    expect([read("edited.txt"), read("moved.txt"), read("bin/run.sh")]).toEqual([
      "one\ntwo\n",
      "whole\n",
      "echo hi\n",
    ]);
    if (process.platform !== "win32") expect(statSync(join(root, "bin/run.sh")).mode & 0o777).toBe(0o750);
    expect([existsSync(join(root, "gen/n")), existsSync(join(root, "there.txt"))]).toEqual([false, false]);
    expect(await list()).toEqual([]);
  });

  it("are those of the working folder when git changes them, uncommitted work included", async () => {
    const { tracker, put, run, list, read, root } = await setUp();
    put("a.txt", "committed\n");
    commitAll(root);
    put("a.txt", "not committed\n");
    await run("git checkout -q -- a.txt");
    expect(await list()).toEqual(["a.txt changed +1 -1"]);
    await tracker.revert("t1", "a.txt");
    expect(read("a.txt")).toBe("not committed\n");
  });

  it("are compared with what was before the thread over several commands and file tools, also after a restart", async () => {
    const { tracker, open, put, run, list, root } = await setUp();
    put("a.txt", "0\n");
    put("same.txt", "0\n");
    const observer = tracker.observe("t1", root);
    await run("echo 1 >> a.txt && echo 1 > same.txt");
    await createWorkspaceFiles(root).edit("a.txt", { oldString: "1", newString: "2" }, { observer });
    await run("echo 3 >> a.txt && echo 0 > same.txt");
    expect(await list()).toEqual(["a.txt changed +2 -0"]);
    const again = await open();
    await again.revert("t1", "a.txt");
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("0\n");
  });

  it("are not the app's own records, even in a workspace that holds them", async () => {
    const { run, list } = await setUp();
    await run("echo 1 > own/log && echo 1 > theirs");
    expect(await list()).toEqual(["theirs added +1 -0"]);
  });

  it.runIf(process.platform === "linux")(
    "are listed once the folder is quiet where nothing was heard of them, and from then on at once",
    async () => {
      const { run, list, put, tracker } = await setUp();
      put("a.txt", "0\n");
      const unheard = (text: string) =>
        run(`ln a.txt ../name && echo ${text} > ../name && rm ../name && echo ${text} > heard.txt`);
      await unheard("1");
      expect(await list()).toContain("heard.txt added +1 -0");
      while ((await list()).length < 2) await pause(50);
      expect(await list()).toContain("a.txt changed +1 -1");
      await unheard("2");
      expect(await tracker.diff("t1", "a.txt")).toMatchObject({ before: "0\n", after: "2\n" });
      await tracker.revert("t1", "a.txt");
    },
  );

  it("are listed although the command failed or did not start", async () => {
    const { watch, run, list, put, root } = await setUp();
    await run("echo 1 > failed.txt; exit 3");
    const refused = watch.around("t1", root, async () => {
      put("before-refusal.txt", "1\n");
      throw new Error("not started");
    });
    await expect(refused).rejects.toThrow("not started");
    expect(await list()).toEqual(["before-refusal.txt added +1 -0", "failed.txt added +1 -0"]);
  });

  it("are named without an offer to put them back when no copy was kept", async () => {
    const { tracker, put, run, read } = await setUp();
    put("large.txt", "x".repeat(300_000));
    put("gone.txt", "x".repeat(300_000));
    put("picture", Buffer.from([1, 0, 2]));
    await run("echo more >> large.txt; rm gone.txt picture");
    const what = { byCommand: true, putBack: "not-kept", added: 0, removed: 0 };
    expect(await tracker.list("t1")).toEqual([
      { path: "gone.txt", state: "deleted", ...what },
      { path: "large.txt", state: "changed", ...what },
      { path: "picture", state: "deleted", ...what, putBack: "possible" },
    ]);
    await expect(tracker.revert("t1", "large.txt")).rejects.toThrow(/was not kept/);
    expect(read("large.txt")).toHaveLength(300_005);
    await tracker.forget("t1");
    expect(await tracker.list("t1")).toEqual([]);
  });

  it("are left alone when a person changed them after the command, or between two commands", async () => {
    const { tracker, put, run, read, root } = await setUp();
    for (const name of ["after", "between", "deleted"]) put(name, "original\n");
    await run("echo agent | tee after between deleted");
    writeFileSync(join(root, "after"), "person\n");
    writeFileSync(join(root, "between"), "person\n");
    unlinkSync(join(root, "deleted"));
    await run("echo agent >> between");
    for (const path of ["after", "between", "deleted"])
      await expect(tracker.revert("t1", path)).rejects.toBeInstanceOf(StaleFileError);
    expect(read("between")).toBe("person\nagent\n");
    expect(await tracker.list("t1")).toMatchObject([
      { path: "after", putBack: "changed-since" },
      { path: "between", putBack: "changed-since" },
      { path: "deleted", state: "deleted", putBack: "changed-since" },
    ]);
  });
});

describe("commands at the same time in one workspace", () => {
  it("each list what changed while they ran, and none is lost", async () => {
    const { run, list } = await setUp();
    const wait = (file: string) => `until [ -e ${file} ]; do sleep 0.01; done`;
    await Promise.all([
      run(`echo 1 > first && ${wait("second")}`, "t1"),
      run(`${wait("first")}; echo 2 > second`, "t2"),
    ]);
    expect(await list("t1")).toContain("first added +1 -0");
    expect(await list("t1")).toContain("second added +1 -0");
    expect(await list("t2")).toContain("second added +1 -0");
  });

  it("do not claim what a file tool of another thread, or a person's revert, did meanwhile", async () => {
    const { tracker, watch, put, list, root } = await setUp();
    put("tool.txt", "0\n");
    put("reverted.txt", "0\n");
    const files = createWorkspaceFiles(root);
    const observer = tracker.observe("t2", root);
    await files.write("reverted.txt", "1\n", { observer });
    await watch.around("t1", root, async () => {
      await files.write("tool.txt", "1\n", { observer });
      await files.write("tool.txt", "2\n", { observer });
      await tracker.revert("t2", "reverted.txt");
      put("mine.txt", "1\n");
    });
    expect(await list("t1")).toEqual(["mine.txt added +1 -0"]);
    expect(await list("t2")).toEqual(["tool.txt changed +1 -1"]);
  });

  it("do claim a file when a file tool explains only part of what happened to it", async () => {
    const { tracker, watch, put, list, root } = await setUp();
    put("a.txt", "0\n");
    const observer = tracker.observe("t2", root);
    await watch.around("t1", root, async () => {
      await createWorkspaceFiles(root).write("a.txt", "1\n", { observer });
      put("a.txt", "1\n2\n");
    });
    expect(await list("t1")).toEqual(["a.txt changed +2 -1"]);
  });
});

it("a workspace that cannot be looked at does not keep a command from running, and that is said", async () => {
  const { tracker, watch, put, root } = await setUp();
  put("a.txt", "0\n");
  await watch.close();
  expect(await watch.around("t1", root, async () => "ran")).toBe("ran");
  expect(await tracker.isIncomplete("t1")).toBe(true);
  await tracker.forget("t1");
  expect(await tracker.isIncomplete("t1")).toBe(false);
});
