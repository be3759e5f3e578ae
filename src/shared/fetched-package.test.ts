/** What is known of a program that is fetched as it starts is read off its words, and nothing is made up of words nobody knows. */
import { expect, it } from "vitest";
import { doubtsAbout, fetchedPackage } from "./fetched-package.ts";

const npx = (...args: string[]) => ({ command: "/usr/bin/npx", args });
const kinds = (words: { command: string; args: string[] }) => doubtsAbout(words).map(({ kind }) => kind);

it("has nothing to say against a tried package of an exact version, kept apart from the folder", () => {
  const words = npx("--prefix", "/", "--yes", "@agentclientprotocol/codex-acp@2.6.0");
  expect(doubtsAbout(words)).toEqual([]);
  expect(fetchedPackage(words)).toMatchObject({ version: "2.6.0", isApart: true, args: [] });
  expect(kinds({ command: "/opt/gemini", args: ["--acp"] })).toEqual([]);
});

it.each([
  [["--yes", "opencode-ai@1.18.33", "acp"], ["folder"]],
  [["--prefix", ".", "--yes", "opencode-ai@1.18.33"], ["folder"]],
  [["--prefix", "/", "--yes", "opencode-ai"], ["inexact"]],
  [["--prefix", "/", "--yes", "opencode-ai@latest"], ["inexact"]],
  [["--prefix", "/", "--yes", "opencode-ai@^1.18.33"], ["inexact"]],
  [["--prefix", "/", "--yes", "opencode-al@1.18.33"], ["untried"]],
  [
    ["-y", "@zed-industries/claude-code-acp"],
    ["renamed", "folder", "inexact"],
  ],
])("says of npx %j: %j", (args, expected) => {
  expect(kinds(npx(...args))).toEqual(expected);
  expect(kinds({ command: "env", args: ["A=1", "npx", ...args] })).toEqual(expected);
});

it("knows programs of a former name, and uvx", () => {
  expect(kinds({ command: "/usr/bin/claude-code-acp", args: [] })).toEqual(["renamed"]);
  expect(kinds({ command: "uvx", args: ["--no-config", "some-agent==0.4.1", "acp"] })).toEqual(["untried"]);
  expect(kinds({ command: "C:\\node\\npx.cmd", args: ["some-agent"] })).toContain("folder");
  for (const args of [["--yes"], ["--yes", "git+https://example.com/x"], ["./x"], []])
    expect(fetchedPackage(npx(...args)), args.join()).toBeUndefined();
});
