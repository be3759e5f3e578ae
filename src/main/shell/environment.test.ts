/** What a command may see of the host's environment. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildEnvironment, inheritedEnvironment } from "./environment.ts";

const build = (source: Record<string, string>, allow: string[] = [], extra: Record<string, string> = {}) =>
  buildEnvironment({ inherited: inheritedEnvironment({ source, allow }), extra, executionId: "e" });

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
});
