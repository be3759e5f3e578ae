/** Known programs are found by their names alone, and what a person set up is read and written with care. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { AgentId } from "../../../shared/ids.ts";
import { createOuterAgentStore } from "../../agent-files/outer-agent-store.ts";
import { findProgram } from "../../shell/find-program.ts";
import { findKnownAgents } from "./find-known.ts";

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "countersign-known-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

it.runIf(process.platform !== "win32")(
  "finds programs by name where the system does, and starts none",
  () => {
    const [dir, other] = [folder(), folder()];
    const mark = join(dir, "was-started");
    writeFileSync(join(dir, "gemini"), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    writeFileSync(join(dir, "opencode"), "no program", { mode: 0o644 });
    writeFileSync(join(other, "codex-acp"), "", { mode: 0o755 });
    const path = [dir, relative(process.cwd(), other), ""].join(delimiter);
    expect(findKnownAgents(path).map(({ agent }) => [agent.command, ...agent.args])).toEqual([
      [join(dir, "gemini"), "--acp"],
    ]);
    expect(existsSync(mark)).toBe(false);
  },
);

it.runIf(process.platform !== "win32")("takes no program from a folder that an agent works in", () => {
  const dir = folder();
  writeFileSync(join(dir, "gemini"), "", { mode: 0o755 });
  const found = join(dir, "gemini");
  for (const path of [dir, ["", ".", "bin", dir].join(delimiter)])
    expect(findProgram("gemini", path)).toBe(found);
  for (const command of ["./gemini", "../gemini", "bin/gemini", "..", "codex"])
    expect(findProgram(command, dir)).toBeUndefined();
  for (const path of ["", ".", relative(process.cwd(), dir)])
    expect(findProgram("gemini", path)).toBeUndefined();
  expect(findProgram(found, "")).toBe(found);
});

it("keeps what a person set up for its owner alone, and names what is wrong without losing it", () => {
  const dir = folder();
  const store = createOuterAgentStore(dir);
  const agent = { id: "one" as AgentId, name: "One", command: "/bin/one", args: ["a b", "$(c)"] };
  expect(store.save(agent)).toEqual(agent);
  const file = join(dir, "outer-agents.json");
  if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  const written = JSON.parse(readFileSync(file, "utf8"));
  written.outerAgents.bad = { name: "Bad" };
  writeFileSync(file, JSON.stringify(written));
  const { agents, problems } = createOuterAgentStore(dir).list();
  expect([agents, problems.map(({ field }) => field)]).toEqual([[agent], ["outerAgents.bad.command"]]);
  store.save({ ...agent, id: "two" as AgentId });
  expect(Object.keys(JSON.parse(readFileSync(file, "utf8")).outerAgents)).toEqual(["one", "bad", "two"]);
});
