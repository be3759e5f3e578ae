/** An exported project by the two commands that its folder is told to be started with; `npm run test:servers` runs it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { agentSchema } from "../../../shared/contract/agents.ts";
import { SourceHost } from "../../engine/testing/source-host.ts";
import { toProject } from "../langgraph-project/project.ts";
import { writeProject } from "../langgraph-project/write-project.ts";
import { freePort } from "../mcp/testing/reference-servers.ts";
import { ownNetwork } from "./server-request.ts";
import { installed } from "./testing/real-server.ts";

let host: SourceHost;
let place: string;
let server: ChildProcess | undefined;
beforeEach(async () => {
  place = mkdtempSync(join(installed ?? "/nowhere", "project-"));
  host = new SourceHost({}, ownNetwork);
  await host.open();
});
afterEach(async () => {
  // The command starts the server as a process of its own.
  if (server?.pid !== undefined && server.exitCode === null) process.kill(-server.pid, "SIGKILL");
  await host.close();
  host.remove();
  rmSync(place, { recursive: true, force: true });
});

/** As from a shell: what npm tells the command that runs these tests is about another folder. */
function npm(folder: string, words: string[], env: Record<string, string> = {}): ChildProcess {
  const own = Object.entries(process.env).filter(([name]) => !name.toLowerCase().startsWith("npm_"));
  return spawn("npm", words, {
    cwd: folder,
    env: { ...Object.fromEntries(own), ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
}

it.skipIf(installed === undefined)(
  "is installed and started as it is written, and what its agent asks stands in the queue and is answered once",
  async () => {
    const folder = join(place, "project");
    const agent = agentSchema.parse({
      id: "careful",
      name: "Careful",
      prompt: "You work.",
      mcpServers: ["away"],
      subAgents: [{ name: "scribe", description: "Writes", prompt: "You write." }],
    });
    const away = {
      transport: "http",
      name: "away",
      url: "http://127.0.0.1:9/mcp",
      headers: {},
      enabled: true,
    } as const;
    writeProject(folder, toProject(agent, { provider: "anthropic", model: "claude" }, [away]));
    copyFileSync(
      fileURLToPath(new URL("testing/real-graphs.mjs", import.meta.url)),
      join(folder, "model.mjs"),
    );
    const [code] = await once(npm(folder, ["install", "--no-audit", "--no-fund"]), "exit");
    expect(code).toBe(0);
    const port = String(await freePort());
    const env = { MODEL_MODULE: "./model.mjs", EFFECTS: join(place, "effects"), LANGSMITH_TRACING: "false" };
    server = npm(folder, ["start", "--", "--port", port], env);
    await new Promise<void>((ready, fail) => {
      let said = "";
      for (const stream of [server?.stdout, server?.stderr])
        stream?.on("data", (chunk) => {
          said += String(chunk);
          if (said.includes("Server running")) ready();
        });
      server?.once("close", (end) => fail(new Error(`It ended with ${end}: ${said}`)));
    });
    const url = `http://127.0.0.1:${port}`;
    await host.serverDesk.save({ id: "farm", name: "Farm", url, auth: "none" }, undefined);
    const id = host.serverDesk.createThread("farm", "careful", "t");
    const task = { description: 'write_file {"file_path":"/a","content":"b"}', subagent_type: "scribe" };
    host.send(id, `task ${JSON.stringify(task)}`);
    const row = await host.onePending(id);
    expect([row.tool, row.args]).toEqual(["write_file", { file_path: "/a", content: "b" }]);
    await host.decide(row, { type: "approve" });
    await host.untilStatus(id, "done");
    expect([...host.stores.ledger.all()].map(({ receipt }) => receipt?.answer?.proof)).toEqual(["applied"]);
  },
);
