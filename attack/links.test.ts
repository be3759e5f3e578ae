import { execFileSync } from "node:child_process";
import {
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lookAtDisk } from "../src/main/policy/disk.ts";
import { judgeCommand } from "../src/main/policy/judge-command.ts";
import { flagProfiles } from "../src/main/policy/profiles/read-only-tools.ts";
import { makeContext } from "../src/main/policy/testing/make-context.ts";
import { startAttack } from "./attack-run.ts";

const isWindows = process.platform === "win32";
const places =
  ". src docs src/ src/link.ts src/away away/ away/a.ts away/* */link.ts src/* */* * */away/* src/away/.. src/in/../link.ts src/*.ts deep/* */*/*".split(
    " ",
  );
const tests =
  "|-type f|-type l|-name '*.ts'|-type f -name '*.ts'|-type f -o -type l|! -type d|-xtype f|-readable|-not -type l|-maxdepth 1|-printf '%s %Y %p'|-type f,l".split(
    "|",
  );
const onFiles =
  "wc|wc -l|ls -l|ls -lL|ls -L|stat -L|du -L|du -D|file -L|file|readlink -f|realpath|cat|head -1|grep -c foo|grep -l foo|grep -rl foo|ls -R|nl".split(
    "|",
  );
const loops = [
  'echo "$f"',
  'cat "$f"',
  'wc -l "$f"',
  'ls -lL "$f"',
  'stat "$f"',
  'test -s "$f" && echo y',
  'grep -rc foo "$f"',
];
/** Tells of the machine or its disk, or prints memory that it never wrote (`whereis`), and not always the same. */
const restless = /^(?:whereis|df|free|uptime|ps|vmstat|getconf|date|id|groups)\b|^stat .*-\w*f/;

let base: string;
let app: string;

/** The same links to files of other contents, sizes, times and names. */
function changeOutside(turn: number): void {
  rmSync(join(base, "outside"), { recursive: true, force: true });
  mkdirSync(join(base, "outside", "sub"), { recursive: true });
  for (const name of ["secret.txt", `name${turn}.txt`, `sub/a${turn}`, "a.ts", "sub", "."]) {
    const path = join(base, "outside", name);
    if (/\w\.?\w*\d?$/.test(name) && name !== "sub") writeFileSync(path, `foo ${turn}\n`.repeat(7 * turn));
    utimesSync(path, 1e9 + turn * 1e7, 1e9 + turn * 1e7);
  }
}

/** Linux notes the first reading after a change; what was read later than it was changed keeps its time, so that it tells nothing. */
function settleAccessTimes(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) settleAccessTimes(path);
    else lutimesSync(path, 2e9, 1e9);
  }
  lutimesSync(folder, 2e9, 1e9);
}

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "attack-links-")));
  app = join(base, "app");
  for (const folder of ["src/in", "docs", "deep/er"]) mkdirSync(join(app, folder), { recursive: true });
  for (const name of ["README.md", "src/a.ts", "docs/a.ts", "src/in/b.ts", "deep/er/x.txt"])
    writeFileSync(join(app, name), "one foo\ntwo bar\n");
  symlinkSync("../outside", join(app, "away"));
  symlinkSync("../src/link.ts", join(app, "deep", "chain.ts"));
  for (const folder of ["src", "docs"]) {
    symlinkSync("../../outside", join(app, folder, "away"));
    symlinkSync("../../outside/secret.txt", join(app, folder, "link.ts"));
  }
  settleAccessTimes(app);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function flagsOf(tool: string): string[] {
  const { short = "", long = "" } = flagProfiles[tool]!;
  const letters = [...short.matchAll(/([A-Za-z0-9])(?![:<])/g)].map((found) => `-${found[1]}`);
  const names = long.split(/\s+/).filter((name) => name !== "" && !/[=<]$/.test(name));
  return [
    "",
    ...letters,
    ...letters.map((letter) => `-l ${letter}`),
    ...names.map((name) => `--${name.replace("?", "")}`),
  ];
}

function makeCommand(pick: <T>(list: readonly T[]) => T): string {
  const place = pick(places);
  const shape = pick(["tool", "tool", "find", "loop", "cd"]);
  if (shape === "loop") return `for f in ${place}; do ${pick(loops)}; done`;
  if (shape === "cd") return `cd ${place} && ${pick(onFiles)} ${pick(["", "*", ".", "../a.ts"])}`;
  if (shape === "find") {
    const lister = `find ${place} ${pick(tests)}`;
    return pick([lister, `${lister} -exec ${pick(onFiles)} {} +`, `${lister} | xargs ${pick(onFiles)}`]);
  }
  const tool = pick([
    ...Object.keys(flagProfiles),
    "echo",
    "printf '%s\\n'",
    "sed -n 1p",
    "awk '{print $1}'",
  ]);
  const profile = Object.hasOwn(flagProfiles, tool) ? flagProfiles[tool] : undefined;
  const flag = profile === undefined ? "" : pick(flagsOf(tool));
  return `${tool} ${flag} ${profile?.pattern ? "foo" : ""} ${place} ${pick(["", "", pick(places)])}`;
}

function runAll(commands: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "attack-links-out-"));
  try {
    writeFileSync(join(folder, "commands"), commands.map((command) => `${command}\0`).join(""));
    const driver = `n=0; while IFS= read -r -d '' text <&8; do n=$((n + 1)); timeout -k 1 4 bash --noprofile --norc -c "$text" 8<&- </dev/null 2>&1 | head -c 300000 > "${folder}/$n"; done 8<"${folder}/commands"; true`;
    const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: base, LANG: "C.UTF-8" };
    execFileSync("bash", ["--norc", "--noprofile", "-c", driver], { cwd: app, env, stdio: "ignore" });
    return commands.map((_, at) => readFileSync(join(folder, String(at + 1)), "latin1"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The commands whose output is another when only what lies outside of the workspace has changed. */
function findLooksOutside(commands: readonly string[]): string[] {
  changeOutside(1);
  const before = runAll(commands);
  changeOutside(2);
  const after = runAll(commands);
  return commands.filter((_, at) => before[at] !== after[at]);
}

describe.skipIf(isWindows)("links that lead out of the workspace", () => {
  it("are seen by this world when a command follows one, so that the test below can fail", () => {
    const harmless = ["cat src/a.ts", "ls -lR", "find . -type f -exec wc -l {} +"];
    const harmful = [
      "cat src/link.ts",
      "wc -l src/*",
      "ls -lL src",
      "find . -exec wc -l {} +",
      "echo */away/*",
    ];
    expect(findLooksOutside([...harmless, ...harmful])).toEqual(harmful);
  });

  it("are not followed by what runs unasked: its output is the same whatever lies there", () => {
    const attack = startAttack("links");
    const pick = <T>(list: readonly T[]): T => list[Math.floor(attack.random() * list.length)]!;
    let run = 0;
    for (const _ of attack.rounds(1)) {
      changeOutside(1);
      const context = makeContext({ workspace: app, cwd: app, home: base, rules: [], ...lookAtDisk(app) });
      const safe = new Set<string>();
      for (let made = 0; made < 3_000 && safe.size < 150; made += 1) {
        const command = makeCommand(pick).replaceAll(/ +/g, " ").trim();
        if (!restless.test(command) && judgeCommand(command, context).verdict === "safe") safe.add(command);
      }
      expect(findLooksOutside([...safe])).toEqual([]);
      run += safe.size;
    }
    expect(run).toBeGreaterThan(100);
  });
});
