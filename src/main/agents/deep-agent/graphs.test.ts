import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StructuredTool } from "@langchain/core/tools";

import { tool } from "langchain";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { agentSchema } from "../../../shared/contract/agents.ts";
import { defaultSettings } from "../../../shared/contract/console.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { TestJournal } from "../../gate/testing/test-journal.ts";
import { createCheckpointer } from "../../storage/checkpointer/create-checkpointer.ts";
import type { LinearSqliteSaver } from "../../storage/checkpointer/linear-sqlite-saver.ts";
import type { ThreadRow } from "../../threads/thread-store.ts";
import { createModelSlots } from "../model-slots.ts";
import { createGraphs, type GraphsParts } from "./graphs.ts";
import type { WorkspaceBackend } from "./workspace-backend.ts";

let folder: string;
let saver: LinearSqliteSaver;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-graphs-"));
  saver = createCheckpointer(join(folder, "checkpoints.db"));
});
afterEach(() => {
  saver.close();
  rmSync(folder, { recursive: true, force: true });
});

const demo = { provider: "demo" as const, model: "demo" };
const threadOf = (id: string, more: Partial<ThreadRow> = {}) =>
  ({ id: id as ThreadId, workspace: "/project", model: demo, ...more }) as ThreadRow;

/** A set-up that a test may change between two threads. */
function makeGraphs() {
  const made = {
    agent: agentSchema.parse({ id: "a", name: "A", prompt: "Work." }),
    key: undefined as string | undefined,
    limit: 30,
    skills: [] as string[],
    toolName: "look",
    shell: "bash 5.2",
  };
  const parts: Pick<GraphsParts, "models" | "keys"> = {
    models: { withBaseUrl: (ref) => ref } as Partial<GraphsParts["models"]> as GraphsParts["models"],
    keys: {
      open: async () => undefined,
      find: () => made.key,
      storageOf: () => "file",
    } as Partial<GraphsParts["keys"]> as GraphsParts["keys"],
  };
  const graphOf = createGraphs({
    ...parts,
    overflowOf: () => ({ results: folder, history: folder }),
    settings: () => ({ ...defaultSettings, modelCallLimit: made.limit }),
    agentOf: () => made.agent,
    slots: createModelSlots(
      () => 8,
      () => {},
    ),
    journal: new TestJournal(() => "ask").running().journal,
    backendOf: () => ({ id: "workspace" }) as Partial<WorkspaceBackend> as WorkspaceBackend,
    checkpointer: async () => saver,
    // Made anew at each call, as the toolbox makes them.
    toolsOf: async () => [
      tool(() => "", {
        name: made.toolName,
        description: "Look.",
        schema: z.object({}),
      }) as unknown as StructuredTool,
    ],
    shellTitle: async () => made.shell,
    mayConfine: () => false,
    contextOf: async () => ({ folder: [], skills: made.skills, own: [] }),
  });
  return { made, graphOf };
}

describe("the graph of a thread", () => {
  it("is that of every thread that works alike", async () => {
    const { graphOf } = makeGraphs();
    const [one, two] = await Promise.all([graphOf(threadOf("one")), graphOf(threadOf("two"))]);
    expect(two).toBe(one);
  });

  it("is another one as soon as anything about it differs", async () => {
    const { made, graphOf } = makeGraphs();
    const graphs = [await graphOf(threadOf("one"))];
    graphs.push(await graphOf(threadOf("two", { workspace: "/other" })));
    graphs.push(await graphOf(threadOf("three", { model: { ...demo, model: "demo-2" } })));
    const changes = [
      () => Object.assign(made, { key: "a new key" }),
      () => Object.assign(made, { limit: 31 }),
      () => Object.assign(made, { skills: ["/skills/"] }),
      () => Object.assign(made, { toolName: "listen" }),
      () => Object.assign(made, { shell: "PowerShell 7.5" }),
      () => Object.assign(made.agent, { interruptOn: { look: true } }),
    ];
    for (const change of changes) {
      change();
      graphs.push(await graphOf(threadOf("one")));
    }
    expect(new Set(graphs).size).toBe(graphs.length);
    expect(await graphOf(threadOf("four"))).toBe(graphs.at(-1));
  });

  it("is built again after it could not be", async () => {
    const { made, graphOf } = makeGraphs();
    const needsKey = threadOf("one", { model: { provider: "openai", model: "gpt" } });
    await expect(graphOf(needsKey)).rejects.toThrow(/key/i);
    made.key = "sk-test";
    const graph = await graphOf(needsKey);
    const state = await graph.getState({ configurable: { thread_id: needsKey.id } });
    expect(state.values).toEqual({});
  });
});
