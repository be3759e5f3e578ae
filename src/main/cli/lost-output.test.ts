/** The command line as a process of its own, whose reader leaves. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "vitest";

const cli = join(import.meta.dirname, "cli.ts");
const at = JSON.stringify(join(import.meta.dirname, "lost-output.ts"));

async function runUntilClosed(args: string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let said = "";
  child.stderr.on("data", (piece: Buffer) => {
    said += piece.toString();
  });
  const [code] = await once(child, "close");
  return { code: code as number | null, said };
}

it("ends without a word where its reader left, with the exit code of what it did", async () => {
  expect(await runUntilClosed([cli, "help"])).toEqual({ code: 0, said: "" });
});

it("ends with its pipe while it is at work still", async () => {
  const source = `const { endWithOutput } = await import(${at});
    endWithOutput(process.stdout, process.stderr);
    setInterval(() => process.stdout.write("x".repeat(1_000)), 1);`;
  const ended = await runUntilClosed(["--input-type=module", "-e", source]);
  expect(ended).toEqual({ code: 141, said: "" });
});

it.skipIf(process.platform !== "linux")(
  "says in a sentence what else kept its output from being written",
  () => {
    const { status, stderr } = spawnSync("sh", ["-c", '"$0" "$1" help >/dev/full', process.execPath, cli], {
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^What it says could not be written: .+\n$/)]);
  },
);
