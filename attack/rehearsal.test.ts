/** Random commands: what a commit puts into the folder is the very tree that was rehearsed, or it was said why not and nothing is done. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeScene, openScene } from "../fault/commit-scene.ts";
import { threadId } from "../fault/desk-scene.ts";
import { isLongRun } from "../src/main/base/testing/long-run.ts";
import { createRehearsals } from "../src/main/rehearsal/rehearse.ts";
import { missing } from "../src/main/rehearsal/testing/real-overlay.ts";
import { nothingMore } from "../src/main/sandbox/hidden-places.ts";
import { program } from "../src/main/sandbox/testing/real-sandbox.ts";
import { findCommandShell } from "../src/main/shell/find-command-shell.ts";
import { holdProgram } from "../src/main/shell/held-program.ts";
import type { ExecutionId, TurnId } from "../src/shared/ids.ts";
import { startAttack } from "./attack-run.ts";
import { makeCommand } from "./rehearsed-commands.ts";

/** The whole tree in words: kinds, permissions, names, and contents by their hashes. */
const listing = `find . -mindepth 1 -printf '%y %m %P\\n' | sort; find . -type f -print0 | sort -z | xargs -0 -r sha256sum`;
const begin = "the tree:\n";

/** Each needs some tenths of a second; more are run with COUNTERSIGN_REHEARSALS. */
const bounded = Number(process.env.COUNTERSIGN_REHEARSALS ?? (isLongRun ? 8 : 4));

it.skipIf(missing !== undefined)("is what was rehearsed, byte by byte", async () => {
  const attack = startAttack("rehearsal");
  const folder = realpathSync(mkdtempSync("/var/tmp/countersign-rehearsals-"));
  await makeScene(folder);
  const scene = await openScene(folder);
  const { root, stores, takeBacks } = scene;
  const home = join(folder, "home");
  mkdirSync(home);
  const rehearsals = createRehearsals({
    ...{ dataDir: join(folder, "data"), home, commandShell: findCommandShell("linux", process.env) },
    hidden: () => nothingMore,
    sandbox: async () => ({ usable: true, program, tries: 1 }),
    hold: async (request) => holdProgram(request),
  });
  const run = (text: string) => execFileSync("bash", ["-c", text], { cwd: root, encoding: "utf8" });
  run("git init -q . && git config user.name A && git config user.email a@b.c && echo '{}' > package.json");
  const why = new Map<string, number>();
  let committed = 0;
  for (const round of attack.rounds(bounded)) {
    for (const name of ["a", "b", "Makefile"]) run(`[ -e ${name} ] || echo 1 > ${name}`);
    const command = makeCommand(attack.random);
    const before = run(listing);
    const done = await rehearsals.rehearse({
      ...{
        command: `{ ${command}; } > /dev/null 2>&1; printf '${begin.trim()}\\n'; ${listing}`,
        workspace: root,
      },
      ...{ width: "workspace and git" as const, signal: new AbortController().signal },
    });
    expect(run(listing), command).toBe(before);
    if ("why" in done) {
      why.set(done.why, (why.get(done.why) ?? 0) + 1);
      continue;
    }
    const { name, rehearsal } = done;
    const { files, folders, output } = rehearsal;
    const opened = await rehearsals.open(name);
    for (const { to } of files) if (to) await stores.undo.blobs.put((await opened!.contents.get(to.hash))!);
    const executionId = `round-${round}` as ExecutionId;
    const rehearsed = { executionId, exitCode: 0, result: "", truncated: false, bytes: 0 };
    await takeBacks.commit(threadId, "turn-one" as TurnId, { root, files, folders, rehearsed });
    expect(rehearsal.truncated, command).toBe(false);
    expect(begin + run(listing), command).toBe(output);
    committed += 1;
    await rehearsals.forget(name.id);
  }
  console.log(`attack rehearsal: ${committed} committed; not rehearsed: ${JSON.stringify([...why])}`);
  expect(committed).toBeGreaterThan(0);
  await stores.close();
  rmSync(folder, { recursive: true });
});
