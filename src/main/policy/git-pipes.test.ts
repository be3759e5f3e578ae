/** A command can put a pipe in the place of what git keeps: whoever reads that must not wait for it. */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readGitIndex } from "./git-index.ts";
import { openObjects } from "./git-objects.ts";

const id = "0123456789abcdef0123456789abcdef01234567";

describe.skipIf(process.platform === "win32")("what waits in the place of", () => {
  it.each([
    ["the index", ".git/index", (root: string) => readGitIndex(root)],
    [
      "an object",
      `.git/objects/01/${id.slice(2)}`,
      (root: string) => openObjects(join(root, ".git/objects")).read(id),
    ],
    ["a pack", ".git/objects/pack/a.idx", (root: string) => openObjects(join(root, ".git/objects")).read(id)],
    [
      "the list of borrowed objects",
      ".git/objects/info/alternates",
      (root: string) => openObjects(join(root, ".git/objects")),
    ],
  ])("%s is not read", (_, name, read) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "countersign-pipe-")));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const pipe = join(root, name);
    mkdirSync(dirname(pipe), { recursive: true });
    execFileSync("mkfifo", [pipe]);
    // Opened only when somebody reads it: that one would have waited for ever without this writer.
    const said = join(root, "said");
    const writer = spawn("bash", ["-c", 'exec 3>"$1"; touch "$2"; exec 3>&-', "writer", pipe, said]);
    onTestFinished(() => void writer.kill("SIGKILL"));
    try {
      expect(read(root)).toBeUndefined();
    } catch (error) {
      expect(String(error)).toMatch(/no list of borrowed objects|ESPIPE/);
    }
    expect(existsSync(said)).toBe(false);
  });
});
