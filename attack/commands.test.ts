import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { isLongRun } from "../src/main/base/testing/long-run.ts";
import { judgeCommand } from "../src/main/policy/judge-command.ts";
import { makeSmugglingCommand } from "../src/main/policy/testing/seeded-commands.ts";
import { startAttack } from "./attack-run.ts";
import { mutateCommand } from "./command-tricks.ts";
import { makeLittleProgram } from "./little-languages.ts";
import { World } from "./throw-away-world.ts";
import { findUnprivileged } from "./unprivileged.ts";

const everyday = z
  .array(z.string())
  .parse(
    JSON.parse(readFileSync(new URL("../src/main/policy/everyday-commands.json", import.meta.url), "utf8")),
  );
const isWindows = process.platform === "win32";

let world: World | undefined;
beforeAll(() => {
  if (!isWindows) world = new World(findUnprivileged());
});
afterAll(() => world?.close());

describe.skipIf(isWindows)("commands that run unasked", () => {
  it("are caught by this world when they do harm, so that the test below can fail", () => {
    if (world === undefined) return;
    const harmless = ["ls", "cat README.md", "git status", "grep -rn foo src"];
    expect(world.run(harmless)).toBeUndefined();
    for (const harmful of [
      "cat .env",
      "cat away/secret.txt",
      "echo $ATTACK_TOKEN",
      "touch new",
      "chmod 600 f",
      "find f -exec alarm {} +",
      "printf 'abc%ln' PATH; ls",
      "cat backup.tar",
      "find config -print -type f -name '*.ts' | xargs cat",
      "grep -r --exclude=x --include='*.ts' TOKEN .",
      'cat "$\\\n(echo .env)"',
    ])
      expect(world.run([harmful])?.command).toBe(harmful);
  });

  it("print no secret, start nothing else and change nothing", () => {
    if (world === undefined) return;
    const attack = startAttack("commands");
    const pick = <T>(list: readonly T[]): T => list[Math.floor(attack.random() * list.length)]!;
    let run = 0;
    for (const _ of attack.rounds(isLongRun ? 4 : 2)) {
      const safe = new Set<string>();
      for (let made = 0; made < 1_200 && safe.size < 80; made += 1) {
        const command =
          attack.random() < 0.15
            ? makeSmugglingCommand(attack.random)
            : mutateCommand(pick(everyday), attack.random, () => pick(everyday));
        if (judgeCommand(command, world.context).verdict === "safe" && !everyday.includes(command))
          safe.add(command);
      }
      expect(world.run([...safe])).toBeUndefined();
      run += safe.size;
    }
    expect(run).toBeGreaterThan(100);
  });

  it("do no more through the scripts that sed, awk and jq are given", () => {
    if (world === undefined) return;
    const attack = startAttack("little languages");
    let run = 0;
    for (const _ of attack.rounds(1)) {
      const safe = new Set<string>();
      for (let made = 0; made < 2_500 && safe.size < 150; made += 1) {
        const command = makeLittleProgram(attack.random);
        if (judgeCommand(command, world.context).verdict === "safe") safe.add(command);
      }
      expect(world.run([...safe])).toBeUndefined();
      run += safe.size;
    }
    expect(run).toBeGreaterThan(100);
  });
});
