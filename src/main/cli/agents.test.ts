import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runAgents } from "./agents.ts";
import { consoleExitCodes as codes } from "./console-options.ts";
import { Sink } from "./testing/sink.ts";

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(realpathSync(tmpdir()), "countersign-export-"));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

async function agents(...words: string[]) {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const code = await runAgents([...words, "--data-dir", join(place, "data")], { stdout, stderr });
  return { code, out: stdout.text, err: stderr.text };
}

it("writes an agent into a new folder once, and says what does not come along", async () => {
  const folder = join(place, "project");
  const { code, out } = await agents("export", "default", folder);
  expect([code, out]).toEqual([codes.done, expect.stringContaining("Your keys")]);
  expect(JSON.parse(readFileSync(join(folder, "langgraph.json"), "utf8")).graphs).toEqual({
    default: "./agent.mjs:graph",
  });
  expect(await agents("export", "default", folder)).toMatchObject({ code: codes.refused, out: "" });
});

it.each([[["export", "default"]], [["export", "nobody", "x"]], [["import", "default", "x"]]])(
  "%j is no use of it, and writes nothing",
  async (words) => {
    expect((await agents(...words)).code).toBe(codes.usage);
    expect(existsSync("x")).toBe(false);
  },
);
