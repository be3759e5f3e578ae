/** What a file is counts more than its name: no command prints or copies an archive or a private key under any name. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lookAtDisk } from "./disk.ts";
import { judgeCommand } from "./judge-command.ts";
import { judgeFile } from "./judge-file.ts";
import { lookForKind } from "./look-for-kind.ts";
import { noGitProgram } from "./policy-context.ts";
import { makeContext, makeRule } from "./testing/make-context.ts";

const key = `-----BEGIN ${"OPENSSH"} PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n`;
const rules = "pr,fold,tool,cp,mv,ln,install,rm,chmod,git add,tar -cf,pip install".split(",");
let root: string;
const at = (name: string) => join(root, name);
const contextOf = (workspace: string) =>
  makeContext({
    workspace,
    cwd: workspace,
    home: "/home/ada",
    rules: rules.map((text) => makeRule(text, { exact: false })),
    ...lookAtDisk(workspace),
    gitPrograms: () => noGitProgram,
  });
const judge = (command: string) => judgeCommand(command, contextOf(root)).verdict;

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "file-kind-")));
  for (const folder of ["plain", "packed", "keys"]) mkdirSync(at(folder));
  for (const name of ["plain/a.txt", "plain/b.txt", "n.md"]) writeFileSync(at(name), "some words\n");
  writeFileSync(at("keys/notes.txt"), key);
  writeFileSync(at("packed/notes.txt"), gzipSync("TOKEN=1"));
  execFileSync("tar", ["-cf", at("bundle.dat"), "-C", root, "plain"]);
  execFileSync("tar", ["--format=v7", "-cf", at("old.dat"), "-C", root, "plain"]);
  symlinkSync("../bundle.dat", at("packed/link.md"));
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.invalid", ...words], { cwd: root });
  git("init", "-q");
  for (const name of ["old.ts", "packed.ts", "staged.ts"]) writeFileSync(at(name), gzipSync("TOKEN=1"));
  for (const name of ["a.ts", "gone.ts", "swapped.ts"]) writeFileSync(at(name), "a\n");
  git("add", "a.ts", "gone.ts", "swapped.ts", "old.ts", "packed.ts", "plain");
  git("commit", "-qm", "one");
  git("tag", "-a", "-m", "v1", "v1");
  git("rm", "-q", "--cached", "packed.ts", "gone.ts");
  git("commit", "-qm", "two");
  git("add", "staged.ts");
  writeFileSync(at("swapped.ts"), gzipSync("TOKEN=1"));
  // What stands on the disk says nothing any more.
  for (const name of ["old.ts", "packed.ts", "staged.ts"]) writeFileSync(at(name), "a\n");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe.skipIf(process.platform === "win32")(
  "a file that is an archive or a key, called something else",
  () => {
    it.each([
      ...[
        "cat bundle.dat",
        "cat packed/link.md",
        "head -c 9 packed/notes.txt",
        "cat packed/*",
        "cat */notes.txt",
      ],
      ...[
        "base64 < bundle.dat",
        "cat keys/notes.txt",
        "cat keys/*",
        "md5sum keys/notes.txt",
        "grep -ra x packed",
      ],
      ...[
        "pr bundle.dat",
        "fold -w 9 bundle.dat",
        "tool --file=bundle.dat",
        "tool @old.dat",
        "tool packed/*",
      ],
      ...[
        "tool < bundle.dat",
        "cp bundle.dat n.txt",
        "mv old.dat n.txt",
        "ln bundle.dat n",
        "install old.dat n",
      ],
      ...[
        "cp packed/notes.txt plain",
        "mv packed/* plain",
        "cp keys/notes.txt n",
        "cp .env n",
        "mv conf/.npmrc n",
      ],
      ...["pip install old.dat", "cp bundle.dat n.txt && cat n.txt"],
    ])("asks about %s", (command) => {
      expect(judge(command)).toBe("ask");
    });

    it.each([
      ...["cat plain/a.txt", "cat plain/*", "cat n.md", "wc -c bundle.dat", "sha256sum packed/*", "ls -l *"],
      ...["file bundle.dat", "tar -tf bundle.dat", "wc -l */*.txt", "grep -ra x plain", "cat nothing.txt"],
    ])("runs %s", (command) => {
      expect(judge(command)).toBe("safe");
    });

    it.each([
      ...["pr plain/a.txt", "tool plain/*", "cp n.md m.md", "chmod 600 bundle.dat"],
      ...["git add bundle.dat packed", "tar -cf out.tar plain"],
    ])("covers %s", (command) => {
      expect(judge(command)).toBe("covered");
    });

    it.each([
      ...[
        "git show HEAD:old.ts",
        "git show HEAD~1:packed.ts",
        "git cat-file -p :staged.ts",
        "git show v1:old.ts",
      ],
      ...["git show HEAD:./old.ts", "git show HEAD@{0}:a.ts", "git show :/two", "git show HEAD^{/two}:a.ts"],
      ...[
        "git add bundle.dat && git show :bundle.dat",
        "git add plain/a.txt && git mv plain/a.txt b && git show :b",
      ],
      ...[
        "git show HEAD:missing.ts",
        "git add swapped.ts && git show :swapped.ts",
        "git show :0:staged.ts",
        "git show 'HEAD^{tree}:old.ts'",
      ],
    ])("asks about %s, which git prints as it is", (command) => {
      expect(judge(command)).toBe("ask");
    });

    it.each([
      "git show HEAD:a.ts",
      "git show HEAD~1:a.ts",
      "git show HEAD~1:gone.ts",
      "git show :a.ts",
      "git show v1:./a.ts",
      "git show HEAD:plain",
    ])("runs %s", (command) => {
      expect(judge(command)).toBe("safe");
    });

    it("is no file that an agent reads unasked", () => {
      const context = { ...contextOf(root), rules: [] };
      const read = (path: string) => judgeFile({ operation: "read", path }, context).verdict;
      expect(["bundle.dat", "packed/notes.txt", "keys/notes.txt", "packed/link.md"].map(read)).toEqual(
        Array(4).fill("ask"),
      );
      expect(["n.md", "nothing.txt"].map(read)).toEqual(["safe", "safe"]);
    });

    it("asks about a pattern that matches more files than are looked into", () => {
      const { look, ...context } = contextOf(root);
      const judgeAmong = (count: number, command: string) => {
        const entries = Array.from({ length: count }, (_, n) => ({
          name: `n${n}.ts`,
          kind: "other" as const,
        }));
        const many = { ...look!, entriesIn: () => entries, kindOf: () => undefined };
        return judgeCommand(command, { ...context, look: many }).verdict;
      };
      expect(judgeAmong(150, "cat *.ts")).toBe("safe");
      expect(judgeAmong(500, "cat *.ts")).toBe("ask");
      expect(judgeAmong(500, "wc -l *.ts")).toBe("safe");
    });
  },
);

describe("what a file is", () => {
  const bytes = (text: string) => Buffer.from(text, "latin1");
  it.each([
    ["zip", bytes("PK\x03\x04.."), "archive"],
    [
      "a program that unpacks the zip behind it",
      bytes(`#!/bin/sh\n${"x".repeat(5_000)}PK\x05\x06..`),
      "archive",
    ],
    ["xz", bytes("\xfd7zXZ\0.."), "archive"],
    ["zstd behind a frame that is skipped", bytes("\x51\x2a\x4d\x18\0"), "archive"],
    ["bzip2", bytes("BZh91AY"), "archive"],
    ["a Debian package", bytes("!<arch>\ndebian-binary"), "archive"],
    ["a disc", bytes(`${"\0".repeat(0x8001)}CD001${"\0".repeat(900)}`), "archive"],
    ["a bundle of git", bytes("# v2 git bundle\n"), "archive"],
    ["a key behind its certificate", bytes(`x\n-----BEGIN ${"RSA"} PRIVATE KEY-----\n`), "private key"],
    ["a service account", bytes(`{"type":"x","private_key": "-----BEGIN ${"PRIVATE"} KEY`), "private key"],
    ["a key of PuTTY", bytes("PuTTY-User-Key-File-3: ssh-ed25519"), "private key"],
    ["a public key", bytes("-----BEGIN PUBLIC KEY-----\n"), undefined],
    ["a text about keys", bytes('it begins with "-----BEGIN PRIVATE KEY-----"\n'), undefined],
    ["a picture", bytes("\x89PNG\r\n\x1a\n"), undefined],
    ["a program", bytes(`\x7fELF${"\0".repeat(600)}`), undefined],
    ["nothing", bytes(""), undefined],
    ["zeros", Buffer.alloc(1_000), undefined],
  ])("is told of %s", (_, content, kind) => {
    writeFileSync(at("any"), content);
    expect(lookForKind(at("any"))).toBe(kind);
  });

  it("is told of no folder, no link and no pipe, for which nobody waits", () => {
    expect(lookForKind(root)).toBeUndefined();
    expect(lookForKind(at("no"))).toBeUndefined();
    if (process.platform === "win32") return;
    expect(lookForKind(at("packed/link.md"))).toBeUndefined();
    execFileSync("mkfifo", [at("pipe")]);
    expect(lookForKind(at("pipe"))).toBeUndefined();
  });
});
