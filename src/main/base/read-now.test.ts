/** What others may swap at any time is read without waiting for it, here and where folders of agents are looked at. */
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { everyGitProgram } from "../policy/policy-context.ts";
import { readNow } from "./read-now.ts";

const here = import.meta.dirname;

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-read-now-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it("reads a file, through a link where that is wanted, and nothing else", () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "a"), "text");
  symlinkSync("a", join(folder, "link"));
  expect([readNow(join(folder, "a")), readNow(join(folder, "link"))].map(String)).toEqual(["text", "text"]);
  expect(() => readNow(folder)).toThrow("is no file");
  if (process.platform !== "win32") expect(() => readNow(join(folder, "link"), "no link")).toThrow("ELOOP");
});

// Who waits for a pipe waits with the whole thread: in a process of its own, so that this one can tell.
describe.skipIf(process.platform === "win32")("a pipe in the place of a file", () => {
  it("is not waited for, and a settings file of git that is one counts as one that names programs", async () => {
    const folder = makeFolder();
    execFileSync("git", ["init", "-q"], { cwd: folder });
    writeFileSync(join(folder, ".git/config"), "[include]\n\tpath = ../settings\n");
    execFileSync("mkfifo", [join(folder, "settings")]);
    const read = `
      const { readNow } = await import(${JSON.stringify(join(here, "read-now.ts"))});
      const { readGitPrograms } = await import(${JSON.stringify(join(here, "../policy/git-programs.ts"))});
      const said = [];
      try { readNow(${JSON.stringify(join(folder, "settings"))}) } catch (error) { said.push(error.message) }
      said.push(readGitPrograms(${JSON.stringify(folder)}, "/nowhere"));
      console.log(JSON.stringify(said));`;
    const ended = new AbortController();
    onTestFinished(() => ended.abort());
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", read],
      { signal: ended.signal, killSignal: "SIGKILL" },
    );
    expect(JSON.parse(stdout)).toEqual([expect.stringContaining("is no file"), everyGitProgram]);
  });
});

it("has every look into what a command may have made go this way", () => {
  const folders = ["../sandbox", "../policy"].map((name) => join(here, name));
  const others = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .filter((name) => /\breadFileSync\(/.test(readFileSync(join(folder, name), "utf8"))),
  );
  // The app's own note, and its own world of targets.
  expect(others).toEqual(["set-aside-left.ts", "target-world.ts"]);
});
