import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { commands, runCommandLine } from "./command-line.ts";
import { Sink } from "./testing/sink.ts";

async function type(...argv: string[]) {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const code = await runCommandLine(argv, { stdin: Readable.from([]), stdout, stderr });
  return { code, out: stdout.text, err: stderr.text };
}

const names = Object.keys(commands);

describe("the command line", () => {
  it("lists its commands when nothing or help is asked for, each of them once", async () => {
    const asked = await Promise.all([type(), type("help"), type("--help"), type("-h")]);
    for (const { code, out, err } of asked) {
      expect([code, err]).toEqual([0, ""]);
      for (const name of names) expect(out).toContain(`npm run -s cli -- ${name} `.trimEnd());
    }
  });

  it.each(names)("tells the use of %s when it is asked for help, before anything else", async (name) => {
    for (const words of [
      [name, "--help"],
      [name, "-h"],
      ["help", name],
      [name, "list", "x", "--help"],
    ]) {
      const { code, out, err } = await type(...words);
      expect([code, err]).toEqual([0, ""]);
      expect(out).toMatch(/^Usage:/);
      expect(out).toContain(`npm run -s cli -- ${name}`);
    }
  });

  it.each([
    "policy check",
    "run",
    "rules export",
    "approvals list",
    "threads list",
    "servers list",
    "agents export one folder",
    "terminal-agents install claude",
  ])("says of %s which option it does not have, and its use", async (line) => {
    const words = line.split(" ");
    const { code, out, err } = await type(...words, "--no-such-option");
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^--no-such-option is no option of this command\.\nUsage:/);
    expect(err).toContain(`npm run -s cli -- ${words[0]}`);
  });

  it("names a command that it does not have", async () => {
    for (const name of ["aprovals", "constructor", "__proto__"])
      expect(await type(name)).toMatchObject({
        code: 2,
        err: expect.stringMatching(`^There is no command “${name}”`),
      });
  });

  it.each(["approvals", "threads", "servers"])("asks which command of %s is meant", async (name) => {
    const { code, err } = await type(name);
    expect(code).toBe(2);
    expect(err).toMatch(/^Which command\?/);
  });

  it.each(names)("says where %s does not know the home folder, and does nothing", async (name) => {
    const [stdout, stderr] = [new Sink(), new Sink()];
    const code = await runCommandLine([name], { stdin: Readable.from([]), stdout, stderr }, "");
    expect({ code, out: stdout.text, err: stderr.text }).toEqual({
      code: 1,
      out: "",
      err: "Your home folder is not known: HOME is empty. Set it to the full path of your home folder, then start again.\n",
    });
  });

  it("does not take for a question what is said to an agent", async () => {
    const { code, err } = await type("run", "--workspace", ".", "--", "--help");
    expect([code, err]).toEqual([2, expect.stringContaining("--model is missing")]);
  });
});
