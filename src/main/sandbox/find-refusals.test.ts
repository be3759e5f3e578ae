/** What programs really print when the sandbox refuses them, and what looks like it and is not. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { anyCharacter } from "../../shared/testing/any-character.ts";
import type { ConfinedWidth } from "../../shared/width.ts";
import { runsOf } from "../base/testing/long-run.ts";
import { findRefusals } from "./find-refusals.ts";

const workspace = "/home/ada/code/app";
const needs = (output: string, width: ConfinedWidth = "workspace") =>
  findRefusals(output, { width, workspace })?.width;

describe("what a command printed", () => {
  it.each([
    ["bash: line 1: ../beside: Read-only file system", "outside"],
    ["touch: cannot touch '/home/ada/x': Read-only file system", "outside"],
    ["mkdir: cannot create directory ‘/opt/x’: Read-only file system", "outside"],
    ["Error: EROFS: read-only file system, open '/home/ada/.cache/x'", "outside"],
    ["OSError: [Errno 30] Read-only file system: '/home/ada/x'", "outside"],
    [
      "fatal: Unable to create '/home/ada/code/app/.git/index.lock': Read-only file system",
      "workspace and git",
    ],
    ["bash: line 1: .git/hooks/pre-commit: Read-only file system", "outside"],
    ["bash: line 1: .vscode/tasks.json: Read-only file system", "outside"],
    ["error: could not write config file .git/config: Device or resource busy", "outside"],
    ["npm error code EAI_AGAIN", "workspace; network"],
    ["curl: (6) Could not resolve host: example.org", "workspace; network"],
    ["ssh: Could not resolve hostname h: Temporary failure in name resolution", "workspace; network"],
    ["connect: Network is unreachable", "workspace; network"],
    ["Cannot connect to the Docker daemon at unix:///var/run/docker.sock.", "outside"],
    ["python: socket: Operation not permitted", "workspace; sockets"],
  ] as const)("says that it was refused: %s", (line, width) => {
    expect(needs(`one\n${line}\ntwo\n`)).toBe(width);
    expect(findRefusals(`one\n${line}\ntwo`, { width: "workspace", workspace })?.lines).toEqual([line]);
  });

  it.each([
    ["bash: ../beside: Operation not permitted", "outside"],
    ["touch: /tmp/x: Operation not permitted", "outside"],
    ["Error: EPERM: operation not permitted, open '/home/ada/.cache/x'", "outside"],
    ["error: could not lock config file .git/config: Operation not permitted", "outside"],
    ["fatal: Unable to create '.git/index.lock': Operation not permitted", "workspace and git"],
    ["Error: listen EPERM: operation not permitted 127.0.0.1:3000", "workspace; network"],
    ["Error: connect EPERM /home/ada/code/app/s.sock", "workspace; sockets"],
  ] as const)("says so in the one word that macOS has: %s", (line, width) => {
    const found = (system: "darwin" | "linux") =>
      findRefusals(line, { width: "workspace", workspace, system })?.width;
    expect(found("darwin")).toBe(width);
    // Elsewhere the word says nothing of a place.
    if (!/listen|connect/.test(line)) expect(found("linux")).toBeUndefined();
  });

  it.each([
    "AssertionError: expected 1 to be 2",
    "bash: line 1: ./x: Permission denied",
    "cat: missing: No such file or directory",
    "rm: cannot remove '/proc/1/x': Read-only file system",
    "bash: line 1: src/a.ts: Read-only file system",
    "the mount is a read-only file system",
    "Error: connect ECONNREFUSED 127.0.0.1:5432",
    "make: *** [all] Error 2",
    "chown: changing ownership of 'x': Operation not permitted",
    "umount: /tmp/x: Device or resource busy",
  ])("says nothing of the kind: %s", (line) => {
    expect(needs(line)).toBeUndefined();
  });

  it("asks for no more than the widest of what was refused, and for more than it had", () => {
    const [made, git] = [
      "bash: line 1: made: Read-only file system",
      "x: '.git/index': Read-only file system",
    ];
    expect(needs(made, "read-only")).toBe("workspace");
    expect(needs(`${made}\n${git}`, "read-only")).toBe("workspace and git");
    expect(needs(`${made}\n${git}`)).toBe("workspace and git");
    expect(needs(`${made}\n${git}`, "workspace and git")).toBeUndefined();
  });

  it("asks for one grant, never for two, and for none that it had", () => {
    const [network, socket, git] = [
      "connect: Network is unreachable",
      "python: socket: Operation not permitted",
      "x: '.git/index': Read-only file system",
    ];
    expect(needs(network, "read-only")).toBe("workspace; network");
    expect(needs(`${network}\n${git}`)).toBe("workspace and git; network");
    expect(needs(`${network}\n${socket}`)).toBe("outside");
    expect(needs(socket, "workspace; network")).toBe("outside");
    expect(needs(network, "workspace; network")).toBeUndefined();
    expect(needs(socket, "workspace; sockets")).toBeUndefined();
    expect(needs(git, "workspace; network")).toBe("workspace and git; network");
  });

  it("asks to go out for what is refused beside a folder that was named, and for nothing in it", () => {
    const width = 'workspace; folders ["/srv/named"]';
    expect(needs("touch: cannot touch '/srv/named/x': Read-only file system", width)).toBeUndefined();
    expect(needs("touch: cannot touch '/srv/named2/x': Read-only file system", width)).toBe("outside");
    expect(needs("connect: Network is unreachable", width)).toBe(
      'workspace; network; folders ["/srv/named"]',
    );
  });

  it("asks to go out for a hook that git's settings alone name", () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "countersign-refusals-")));
    onTestFinished(() => rmSync(root, { recursive: true }));
    for (const each of [".git/objects", ".git/refs", "team-hooks"])
      mkdirSync(join(root, each), { recursive: true });
    writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(root, ".git/config"), "[core]\n\thooksPath = team-hooks\n");
    const refused = (place: string) =>
      findRefusals(`bash: line 1: ${place}: Read-only file system`, { width: "workspace", workspace: root });
    expect(refused("team-hooks/pre-commit")?.width).toBe("outside");
    expect(refused("src/a.ts")).toBeUndefined();
  });

  it("is read in time and cut, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.nat(3_000), (text, times) => {
        const found = findRefusals(`${text}: Read-only file system\n`.repeat(times), {
          width: "workspace",
          workspace,
        });
        expect(found?.lines.length ?? 0).toBeLessThanOrEqual(5);
        for (const line of found?.lines ?? []) expect(line.length).toBeLessThanOrEqual(300);
      }),
      { numRuns: runsOf(50) },
    );
  });
});
