/** What the attacks leave where nothing holds them, as on a machine whose sandbox only says that it does: nothing. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { attacks, attacksFor, readTries, scriptOf } from "./attacks.ts";
import { makeTargetWorld } from "./target-world.ts";

/** A namespace of mounts, in which this person is root if they are not yet. */
const apart = [
  "unshare",
  ...(process.getuid?.() === 0 ? [] : ["-Ur"]),
  "--mount",
  "--propagation",
  "private",
];
const [first = "", ...rest] = apart;
const tried = spawnSync(first, [...rest, "true"], { encoding: "utf8" });
const why = tried.status === 0 ? undefined : (tried.error?.message ?? tried.stderr.trim());
if (why !== undefined)
  console.log(`Skipped: attacks cannot be let loose apart from this machine, because ${why}`);

/** A `/tmp` in which nobody else makes anything, and a system that can be made writable. */
const setUp = `set -e
for each in "$HELD" "$ROOT"; do mount --bind "$each" "$each"; done
mkdir "$HELD/t" && mount --bind "$SHARED" "$HELD/t"
mount -t tmpfs none /tmp && mkdir "$SHARED" && mount --move "$HELD/t" "$SHARED"
mount -o remount,bind,ro /
look() { cat /proc/self/mountinfo; ls -A /tmp / /dev; hostname; cat /proc/sys/kernel/core_pattern; }`;

it.skipIf(why !== undefined)(
  "let loose, as root too, they leave mounts, /tmp, / and settings of the kernel as they were",
  async () => {
    const world = await makeTargetWorld();
    onTestFinished(() => world.close());
    const held = realpathSync(mkdtempSync("/var/tmp/countersign-attacks-"));
    onTestFinished(() => rmSync(held, { recursive: true }));
    const all = attacksFor(attacks, "linux");
    const script = `${setUp}
look > "$HELD/before"; bash --noprofile --norc -c "$1" > "$HELD/said"; look > "$HELD/after"
cat "$HELD/said"; diff "$HELD/before" "$HELD/after" >&2`;
    const places = {
      HELD: held,
      ROOT: dirname(world.home),
      SHARED: dirname(world.env.T ?? ""),
    };
    const { stdout, stderr, status } = spawnSync(
      first,
      [...rest, "bash", "--noprofile", "--norc", "-c", script, "attacks", scriptOf(all)],
      { env: { ...world.env, ...places }, encoding: "utf8" },
    );
    expect([stderr, status]).toEqual(["", 0]);
    // They had their effect, so that it was taken back and did not fail.
    const through = ["makes the system writable", "mounts something", "makes a file that runs as its owner"];
    expect(readTries(all, stdout)).toEqual(
      expect.arrayContaining(process.getuid?.() === 0 ? [...through, "makes a device"] : through),
    );
  },
);
