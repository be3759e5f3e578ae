/** What a command may see of the host's environment. */

import { delimiter, resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildEnvironment, environmentOfPrograms, inheritedEnvironment } from "./environment.ts";

const build = (source: Record<string, string>, allow: string[] = [], extra: Record<string, string> = {}) =>
  buildEnvironment({ inherited: inheritedEnvironment({ source, allow }), extra, executionId: "e" });

const buildOnWindows = (
  source: Record<string, string>,
  allow: string[] = [],
  extra: Record<string, string> = {},
) => {
  const platform = "win32";
  return buildEnvironment({
    inherited: inheritedEnvironment({ source, allow, platform }),
    extra,
    executionId: "e",
    platform,
  });
};

describe("buildEnvironment", () => {
  it("hides every variable that nobody allowed, a future secret included", () => {
    const bare = Object.keys(build({}));
    const name = fc.string({ minLength: 1 }).filter((text) => !/^(LC_|.*proxy)/i.test(text));
    fc.assert(
      fc.property(name, (text) => {
        const names = Object.keys(build({ [`X_${text}`]: "value" }));
        expect(names).toEqual(bare);
      }),
    );
  });

  it("passes on what the person allows by name, secrets only by their exact name", () => {
    const source = { SSH_AUTH_SOCK: "/s", MY_TOOL: "1", MY_TOKEN: "t", MY_API_KEY: "k" };
    expect(build(source, ["SSH_AUTH_SOCK", "MY_*"])).toMatchObject({ SSH_AUTH_SOCK: "/s", MY_TOOL: "1" });
    expect(build(source, ["MY_*"])).not.toHaveProperty("MY_TOKEN");
    expect(build(source, ["MY_*"])).not.toHaveProperty("MY_API_KEY");
    expect(build(source, ["MY_TOKEN"])).toHaveProperty("MY_TOKEN", "t");
  });

  it.each([
    "LD_PRELOAD",
    "NODE_OPTIONS",
    "BASH_ENV",
    "GIT_SSH_COMMAND",
    "ELECTRON_RUN_AS_NODE",
    "PROMPT_COMMAND",
  ])("never passes on %s, which runs code, and refuses to set it", (name) => {
    expect(build({ [name]: "x" }, [name])).not.toHaveProperty(name);
    expect(() => build({}, [], { [name]: "x" })).toThrow(name);
  });

  it("passes on a proxy, unless its address holds a password", () => {
    expect(build({ HTTPS_PROXY: "http://proxy.test:8080" })).toHaveProperty("HTTPS_PROXY");
    expect(build({ HTTPS_PROXY: "http://me:secret@proxy.test:8080" })).not.toHaveProperty("HTTPS_PROXY");
    expect(build({ https_proxy: "me:secret@proxy.test" })).not.toHaveProperty("https_proxy");
  });

  it("lets the caller set its own values, but never the marker", () => {
    const result = build({ TERM: "dumb" }, [], { CI: "", COUNTERSIGN_EXECUTION: "forged" });
    expect(result).toMatchObject({ TERM: "xterm-256color", CI: "", COUNTERSIGN_EXECUTION: "e" });
  });

  describe("on Windows", () => {
    const asWindowsWritesThem = {
      Path: "C:\\Windows\\System32",
      USERNAME: "ada",
      PSModulePath: "C:\\Modules",
      ProgramW6432: "C:\\Program Files",
      OS: "Windows_NT",
      NUMBER_OF_PROCESSORS: "8",
      PUBLIC: "C:\\Users\\Public",
      windir: "C:\\Windows",
      SystemRoot: "C:\\Windows",
      CommonProgramFiles: "C:\\Program Files\\Common Files",
      ALLUSERSPROFILE: "C:\\ProgramData",
    };

    it("passes on what programs need under any spelling, written in one", () => {
      const names = fc.constantFrom(...Object.entries(asWindowsWritesThem));
      fc.assert(
        fc.property(names, fc.nat(2 ** 30 - 1), ([name, value], capitals) => {
          const spelled = [...name]
            .map((char, at) => ((capitals >> at) & 1 ? char.toUpperCase() : char.toLowerCase()))
            .join("");
          const built = buildOnWindows({ [spelled]: value });
          const found = Object.keys(built).filter((each) => each.toUpperCase() === name.toUpperCase());
          expect(found).toEqual([name === "Path" ? "PATH" : name]);
          expect(built[found[0]!]).toBe(value);
        }),
      );
    });

    it("writes no variable twice, the newest value last, and never another marker", () => {
      const source = { PATH: "first", Path: "second" };
      const extra = { path: "own", ci: "0", Countersign_Execution: "forged" };
      const built = buildOnWindows(source);
      expect(built.PATH).toBe("first");
      const spelled = Object.entries(buildOnWindows(source, [], extra)).map(([name, value]) => [
        name.toUpperCase(),
        value,
      ]);
      expect(new Set(spelled.map(([name]) => name)).size).toBe(spelled.length);
      expect(Object.fromEntries(spelled)).toMatchObject({
        PATH: "own",
        CI: "0",
        COUNTERSIGN_EXECUTION: "e",
      });
    });

    it("hides what nobody allowed, in any spelling", () => {
      const bare = Object.keys(buildOnWindows({}));
      const source = {
        my_token: "t",
        Node_Options: "x",
        OneDrive: "C:\\Users\\ada\\OneDrive",
        Https_Proxy: "http://me:secret@x",
      };
      expect(Object.keys(buildOnWindows(source, ["MY_*", "NODE_OPTIONS"]))).toEqual(bare);
      expect(buildOnWindows(source, ["MY_TOKEN"])).toHaveProperty("MY_TOKEN", "t");
    });
  });

  it("knows other systems' variables by their own spelling alone", () => {
    expect(
      inheritedEnvironment({ source: { Path: "x", PUBLIC: "y" }, allow: [], platform: "linux" }),
    ).toEqual({});
  });
});

it("gives programs of others no key, no folder that hangs on where they stand, and no program that a repository names to git", () => {
  const path = [".", "bin", "", resolve("/usr/bin"), "./node_modules/.bin"].join(delimiter);
  const seen = environmentOfPrograms({
    PATH: path,
    MY_API_KEY: "k",
    COUNTERSIGN_X: "x",
    NODE_OPTIONS: "-r x",
    LANG: "C",
  });
  expect(seen).toMatchObject({ PATH: resolve("/usr/bin"), LANG: "C", GIT_CONFIG_KEY_0: "core.fsmonitor" });
  expect(Object.keys(seen).filter((name) => /KEY$|COUNTERSIGN|NODE/.test(name))).toEqual([]);
});
