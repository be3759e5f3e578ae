import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runRules } from "./rules.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rules-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...argv: string[]) => runIn(folder, ...argv);
function runIn(dataDir: string, ...argv: string[]) {
  const told = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof told) => ({ write: (text: string) => (told[name] += text) }) as never;
  const code = runRules(argv, { stdout: stream("stdout"), stderr: stream("stderr") }, dataDir);
  return { code, ...told };
}

function settings(permissions: object): string {
  const path = join(folder, "settings.json");
  writeFileSync(path, JSON.stringify({ permissions }));
  return path;
}
const rulesFile = () => join(folder, "rules.json");

describe("rules import", () => {
  it("tells what every entry becomes, and writes only when it is told to", () => {
    const path = settings({ allow: ["Bash(npm test:*)", "Bash(bash:*)"], deny: ["Bash(npm publish)"] });
    const { code, stdout } = run("import", "--from", "claude-code", path);
    expect(code).toBe(0);
    expect(stdout).toContain("taken: Bash(npm test:*)\n    allow npm test\n");
    expect(stdout).toMatch(/refused: Bash\(bash:\*\): .+\n/);
    expect(stdout).toContain("taken: Bash(npm publish)\n    deny npm publish (exactly)\n");
    expect(existsSync(rulesFile())).toBe(false);
  });

  it("writes the rules once, each as written only, and exports them again", () => {
    const path = settings({ allow: ["Bash(npm test:*)", "Bash(npm test *)"] });
    const save = () => run("import", "--from", "claude-code", path, "--save").stdout;
    expect(save()).toMatch(/1 rule written to .*rules\.json\n$/);
    expect(save()).toMatch(/allow npm test \(there already\)\n0 rules written/);
    expect(readFileSync(rulesFile(), "utf8")).toContain('"asWritten": true');
    const { stdout, stderr } = run("export", "--to", "codex");
    expect(stdout).toBe('prefix_rule(pattern=["npm", "test"], decision="allow")\n');
    expect(stderr).toBe("");
  });

  it("makes the folder of the app's records where the app was never started", () => {
    const path = settings({ allow: ["Bash(npm test:*)"] });
    const told = runIn(join(folder, "never/started"), "import", "--from", "claude-code", path, "--save");
    expect(told).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(join(folder, "never/started/rules.json"))).toBe(true);
  });

  it("keeps a rule for one folder out of what is written for everywhere", () => {
    const path = settings({ allow: ["Bash(npm test:*)"], deny: ["Bash(npm publish)"] });
    run("import", "--from", "claude-code", path, "--workspace", folder, "--save");
    const everywhere = run("export", "--to", "claude-code");
    expect(everywhere.stderr).toBe("left out: npm test: It holds in one place only.\n");
    expect(JSON.parse(everywhere.stdout).permissions).toMatchObject({
      allow: [],
      deny: ["Bash(npm publish)"],
    });
    const there = run("export", "--to", "claude-code", "--workspace", folder);
    expect(JSON.parse(there.stdout).permissions).toMatchObject({ allow: ["Bash(npm test:*)"] });
  });

  it("shows signs that a terminal obeys as what they are", () => {
    const { stdout } = run(
      "import",
      "--from",
      "claude-code",
      settings({ allow: ["Bash(ls \u001b]0;x\u0007\u202e)"] }),
    );
    expect(stdout).toContain("Bash(ls <U+001B>]0;x<U+0007><U+202E>)");
  });

  it.each([
    [["import", "--from", "cursor", "x"], 2],
    [["import", "--from", "codex"], 2],
    [["export", "--to", "vscode", "x"], 2],
    [["mend"], 2],
  ])("ends with usage: %s", (argv, code) => {
    const told = run(...argv);
    expect(told.code).toBe(code);
    expect(told.stderr).toContain("Usage:");
  });

  it("says in a sentence that a file cannot be read", () => {
    expect(run("import", "--from", "codex", join(folder, "nowhere"))).toEqual({
      code: 1,
      stdout: "",
      stderr: `${join(folder, "nowhere")} cannot be read: there is no such place.\n`,
    });
    expect(run("import", "--from", "codex", folder)).toMatchObject({
      code: 1,
      stderr: `${folder} cannot be read: a folder stands where a file is needed.\n`,
    });
  });

  it("says in a sentence that the rules themselves cannot be written", () => {
    const path = settings({ allow: ["Bash(npm test:*)"] });
    mkdirSync(rulesFile());
    const told = run("import", "--from", "claude-code", path, "--save");
    expect([told.code, told.stderr]).toEqual([1, expect.stringMatching(/^(?!.*E[A-Z]{4}).+\.\n$/)]);
  });

  it("reads no more of a file than counts", () => {
    const path = join(folder, "large.rules");
    writeFileSync(path, "#".repeat(400_000));
    expect(run("import", "--from", "codex", path)).toMatchObject({
      code: 1,
      stderr: "The file is larger than 256 KB.\n",
    });
  });
});
