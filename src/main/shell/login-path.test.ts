/** Real shells with real start files: what is read from them, and that no start file can do worse than nothing. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readLoginPath } from "./login-path.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "countersign-login-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const rest = "/usr/bin:/bin";
const ask = (shell: string | undefined, options: { timeoutMs?: number } = {}) =>
  readLoginPath({ shell, env: { HOME: home, PATH: rest, ZDOTDIR: home }, ...options });

/** Bash reads the first for a login shell; an interactive one that is none reads the second. */
function writeStartFile(text: string): void {
  writeFileSync(join(home, ".bash_profile"), text);
}

const shells = ["/bin/bash", "/bin/zsh", "/usr/bin/zsh", "/usr/bin/fish", "/bin/tcsh"].filter(existsSync);

describe.skipIf(process.platform === "win32")("the login shell", () => {
  it.each(shells)("%s tells the PATH its start files make", async (shell) => {
    writeStartFile(`export PATH="${home}:$PATH"`);
    writeFileSync(join(home, ".zprofile"), `export PATH="${home}:$PATH"`);
    writeFileSync(join(home, ".tcshrc"), `setenv PATH "${home}:$PATH"`);
    execFileSync("mkdir", ["-p", join(home, ".config", "fish")]);
    writeFileSync(join(home, ".config", "fish", "config.fish"), `set -gx PATH "${home}" $PATH`);
    expect(await ask(shell)).toMatchObject({ path: expect.stringContaining(`${home}:`) });
  });

  it.each([
    ["prints a lot before and after", 'echo "/evil:/evil"; printf "\\e]0;title\\a"; trap "echo bye" EXIT'],
    ["leaves a program behind that holds on to its output", "sleep 600 & disown"],
    ["reads an answer that nobody gives", "read -r answer"],
    ["fails in the middle", "false; nonsense-command; cd /nowhere"],
    ["complains on its error output", "echo trouble >&2"],
  ])("is heard through a start file that %s", async (_what, text) => {
    writeStartFile(`export PATH="${home}:$PATH"\n${text}\n`);
    expect(await ask("/bin/bash")).toEqual({ path: expect.stringMatching(`^${home}:(?!/evil)`) });
  });

  it.each([
    [
      "waits",
      "echo $$ > ~/pid.new; mv ~/pid.new ~/pid; sleep 600",
      { problem: "bash did not answer within 0 s" },
    ],
    ["ends", "exit 0", { problem: "bash ended without an answer" }],
    ["becomes another program", "exec cat", { problem: "bash ended without an answer" }],
    ["sets nonsense", "PATH='not a list'", { problem: expect.stringMatching(/ended|no list of folders/) }],
    ["prints without end", "yes", { problem: "bash printed too much" }],
  ])("gives way to the plain PATH where its start file %s, and says why", async (what, text, problem) => {
    writeStartFile(text);
    expect(await ask("/bin/bash", what === "waits" ? { timeoutMs: 400 } : {})).toEqual(problem);
  });

  it("leaves nothing running of a start file that does not end", async () => {
    writeStartFile("echo $$ > ~/pid.new; mv ~/pid.new ~/pid; sleep 600");
    const timer = vi.waitUntil(() => existsSync(join(home, "pid")));
    const asked = ask("/bin/bash", { timeoutMs: 2_000 });
    await timer;
    const pid = Number(readFileSync(join(home, "pid"), "utf8"));
    await asked;
    await vi.waitUntil(() => {
      try {
        process.kill(pid, 0);
        return readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z");
      } catch {
        return true;
      }
    });
  });

  it.each([
    [undefined, "No login shell is known for this account"],
    ["/nowhere/sh", "No login shell is known for this account"],
    ["bash", "No login shell is known for this account"],
    ["/bin/false", "false ended without an answer"],
  ])("that is %s is said", async (shell, problem) => {
    expect(await ask(shell)).toEqual({ problem });
  });

  it("that may not be executed is said", async () => {
    const file = join(home, "mysh");
    writeFileSync(file, "x");
    chmodSync(file, 0o644);
    expect(await ask(file)).toEqual({ problem: expect.stringMatching(/^mysh could not be started/) });
  });
});
