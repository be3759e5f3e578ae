import { createDeepAgent } from "deepagents";
import { describe, expect, it } from "vitest";
import { UngatedEffectError } from "../../gate/run-context.ts";
import { DemoChatModel } from "../../models/demo/demo-chat-model.ts";
import { GateThread, type GateThreadOptions } from "./testing/gate-thread.ts";

/** The sub-agents a built agent really has, as its `task` tool offers them to the model. */
async function subAgentsOf(options: GateThreadOptions): Promise<string[]> {
  const thread = new GateThread(options);
  await thread.send("say hello");
  const task = thread.offered.flat().find(({ name }) => name === "task");
  return [...(task?.description ?? "").matchAll(/^- "?([a-z0-9-]+)"?:/gm)].map(([, name]) => name!);
}

const rules = [undefined, {}, { execute: true }, { execute: false }];
const toolLists = [undefined, ["execute"], ["execute", "read_file", "task"]];
const models = [undefined, { provider: "demo", model: "other" }];

/** Every form a sub-agent can have in a configuration. */
const forms = rules.flatMap((interruptOn) =>
  toolLists.flatMap((tools) => models.map((model) => ({ interruptOn, tools, model }))),
);

const configurations: [string, GateThreadOptions][] = [
  ["without sub-agents of its own", {}],
  ["that does not ask about commands itself", { agent: { interruptOn: { execute: false } } }],
  ...(["one", "general-purpose"] as const).map((first): [string, GateThreadOptions] => [
    `with ${forms.length / 2} sub-agents in every form, the first named ${first}`,
    {
      agent: {
        subAgents: forms
          .filter((_form, index) => index % 2 === (first === "one" ? 0 : 1))
          .map((form, index) => ({
            ...form,
            name: index === 0 ? first : `sub-${index}`,
            description: "Works",
            prompt: "Work.",
          })),
      },
    },
  ]),
];

describe.each(configurations)("an agent %s", (_what, options) => {
  it("has sub-agents that all stop at the gate before a command, general-purpose among them", async () => {
    const names = await subAgentsOf(options);
    const declared = options.agent?.subAgents;
    expect(names).toContain("general-purpose");
    expect(names.length).toBeGreaterThanOrEqual(Array.isArray(declared) ? declared.length : 1);
    const thread = new GateThread(options);
    const end = thread.send(names.map((name) => `delegate ${name}: run marker-${name}`).join("\n"));
    await thread.journal.until(() => thread.journal.pending.length === names.length);
    expect(thread.journal.pending.map(({ tool, agentPath }) => [tool, agentPath]).toSorted()).toEqual(
      names.map((name) => ["execute", [name]]).toSorted(),
    );
    expect(thread.commands).toEqual([]);
    for (const { args } of thread.journal.pending)
      await thread.journal.decide(`"${String(args.command)}"`, { type: "reject" });
    expect(await end).toEqual({ kind: "done" });
    expect(thread.commands).toEqual([]);
  });
});

describe("what a sub-agent is asked about", () => {
  it("is what its agent says, unless it says otherwise itself", async () => {
    const sub = (name: string, interruptOn?: object) => ({
      name,
      description: "Works",
      prompt: "",
      interruptOn,
    });
    const thread = new GateThread({
      agent: {
        interruptOn: { execute: false, write_file: true },
        subAgents: [sub("inherits"), sub("tightens", { execute: true })],
      },
    });
    const end = thread.send(
      "delegate inherits: run a\ndelegate tightens: run b\ndelegate general-purpose: write /c.txt c\nrun d",
    );
    await thread.journal.until(() => thread.journal.pending.length === 4);
    const ruleOf = (text: string) =>
      thread.journal.judged.find(({ args, tool }) => tool !== "task" && JSON.stringify(args).includes(text))
        ?.rule;
    expect([ruleOf('"a"'), ruleOf('"b"'), ruleOf("/c.txt"), ruleOf('"d"')]).toEqual([
      false,
      true,
      true,
      false,
    ]);
    thread.stop();
    await end;
  });

  it("never includes tools it was not given", async () => {
    const thread = new GateThread({
      agent: { subAgents: [{ name: "reader", description: "Reads", prompt: "", tools: ["read_file"] }] },
    });
    expect(await thread.send("delegate reader: run marker\n\nsay done")).toEqual({ kind: "done" });
    expect(thread.journal.questions).toEqual([]);
    expect(thread.commands).toEqual([]);
    expect(thread.offered.some((tools) => tools.length === 1 && tools[0]?.name === "read_file")).toBe(true);
  });
});

describe("the backend", () => {
  it("refuses every effect that did not pass the gate", async () => {
    const { backend, commands, files } = new GateThread();
    await expect(backend.execute("marker")).rejects.toThrow(UngatedEffectError);
    await expect(backend.write("/a.txt", "a")).rejects.toThrow(UngatedEffectError);
    await expect(backend.edit("/a.txt", "a", "b")).rejects.toThrow(UngatedEffectError);
    await expect(backend.delete("/a.txt")).rejects.toThrow(UngatedEffectError);
    expect(backend.uploadFiles([["/a.txt", new Uint8Array()]])).toMatchObject([
      { error: "permission_denied" },
    ]);
    expect([commands, [...files]]).toEqual([[], []]);
  });

  it.each(["run marker", "delegate general-purpose: run marker"])(
    "does nothing for an agent that was built without the gate: %s",
    async (text) => {
      const { backend, commands } = new GateThread();
      const agent = createDeepAgent({ model: new DemoChatModel({ wordDelayMs: 0 }), backend });
      await agent.invoke({ messages: [{ role: "user", content: text }] }).catch(() => {});
      expect(commands).toEqual([]);
    },
  );

  it("does nothing for a command that was taken for a call without effect", async () => {
    const thread = new GateThread({ judge: () => "free" });
    expect(await thread.send("run marker\nwrite /a.txt a")).toEqual({ kind: "done" });
    expect([thread.commands, [...thread.files]]).toEqual([[], []]);
    expect(
      (await thread.results()).every(({ text }) => text.includes("did not pass the approval gate")),
    ).toBe(true);
  });
});
