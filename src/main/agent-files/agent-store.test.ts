import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Agent, agentSchema } from "../../shared/contract/agents.ts";
import { type AgentStore, createAgentStore } from "./agent-store.ts";

let dataDir: string;
let store: AgentStore;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "countersign-agents-"));
  store = createAgentStore(dataDir);
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const fileOf = (id: string) => join(dataDir, "agents", `${id}.json`);
const agent = (fields: Record<string, unknown> = {}): Agent =>
  agentSchema.parse({ id: "tester", name: "Tester", prompt: "Test things.", ...fields });

function putFile(id: string, content: unknown): void {
  mkdirSync(join(dataDir, "agents"), { recursive: true });
  writeFileSync(fileOf(id), typeof content === "string" ? content : JSON.stringify(content));
}

describe("agents as files", () => {
  it("keeps an agent over a restart, in a file a person can read", () => {
    const saved = store.save(
      agent({ interruptOn: { execute: { allowedDecisions: ["approve", "reject"] } } }),
    );
    expect(createAgentStore(dataDir).get("tester")).toEqual(saved);
    expect(readFileSync(fileOf("tester"), "utf8")).toContain('\n  "name": "Tester",\n');
    expect(readdirSync(join(dataDir, "agents"))).toEqual(["tester.json"]);
  });

  it("reads a file with comments, and keeps them when the agent is changed in the app", () => {
    const text = `{
  // Used on Fridays.
  "id": "tester",
  "name": "Tester",
  "prompt": "Test things.", // short on purpose
  "interruptOn": {
    // Never without a look.
    "execute": true,
  },
}
`;
    putFile("tester", text);
    const known = store.get("tester")!;
    store.save({ ...known, prompt: "Test more.", interruptOn: { ...known.interruptOn, ls: false } });
    const written = readFileSync(fileOf("tester"), "utf8");
    for (const kept of ["// Used on Fridays.\n", '"Test more.", // short', "// Never without a look.\n"])
      expect(written).toContain(kept);
    expect(store.get("tester")).toMatchObject({
      prompt: "Test more.",
      interruptOn: { execute: true, ls: false },
    });
  });

  it("names the line in a file, also of a field that is missing", () => {
    putFile("tester", '{\n  "id": "tester",\n  "name": "",\n  "subAgents": [\n    {}\n  ]\n}');
    const places = store.list().problems.map(({ line, field }) => `${line} ${field}`);
    expect(places).toEqual([
      "3 name",
      "1 prompt",
      "5 subAgents.0.name",
      "5 subAgents.0.description",
      "5 subAgents.0.prompt",
    ]);
  });

  it("lists the built-in agent first and the others by name", () => {
    store.save(agent({ id: "b", name: "Zoe" }));
    store.save(agent({ id: "c", name: "Ann" }));
    expect(store.list().agents.map(({ name }) => name)).toEqual(["Countersign", "Ann", "Zoe"]);
  });

  it("sees a file that was edited by hand, also when it kept its size", () => {
    store.save(agent());
    expect(store.get("tester")?.name).toBe("Tester");
    putFile("tester", readFileSync(fileOf("tester"), "utf8").replace("Tester", "Taster"));
    utimesSync(fileOf("tester"), new Date(), new Date(Date.now() + 5_000));
    expect(store.get("tester")?.name).toBe("Taster");
    rmSync(fileOf("tester"));
    expect(store.get("tester")).toBeUndefined();
  });

  it("removes an agent, and does not mind one that is gone", () => {
    store.save(agent());
    store.remove("tester");
    store.remove("tester");
    expect(store.list().agents).toHaveLength(1);
  });
});

describe("a file that is wrong", () => {
  it.each([
    ["not JSON", "{ name: ", "", /cannot be read as JSON/],
    ["a wrong type", { ...agent(), prompt: 7 }, "prompt", /must be text/],
    ["a misspelt field", { ...agent(), promt: "x" }, "promt", /not known here/],
    ["an id that is not the file's name", agent({ id: "other" }), "id", /must be tester/],
    ["a claim to be built in", agent({ builtIn: true }), "builtIn", /only Countersign's own/],
    [
      "a misspelt decision",
      { ...agent(), interruptOn: { execute: { allowedDecisions: ["aprove"] } } },
      "interruptOn.execute.allowedDecisions.0",
      /approve/,
    ],
    [
      "nothing anybody could answer with",
      { ...agent(), interruptOn: { execute: { allowedDecisions: [] } } },
      "interruptOn.execute.allowedDecisions",
      /at least one decision/,
    ],
    [
      "a field of a rule that is not known",
      { ...agent(), interruptOn: { execute: { allowedDecisions: ["approve"], whenn: {} } } },
      "interruptOn.execute.whenn",
      /not known here/,
    ],
    [
      "a pattern that does not compile",
      {
        ...agent(),
        interruptOn: {
          execute: { allowedDecisions: ["approve"], when: { args: { command: { matches: "(" } } } },
        },
      },
      "interruptOn.execute.when.args.command.matches",
      /not a regular expression/,
    ],
    [
      "two sub-agents of one name",
      {
        ...agent(),
        subAgents: ["a", "b"].map((description) => ({ name: "twin", description, prompt: "" })),
      },
      "subAgents.1.name",
      /already/,
    ],
  ])("is refused by name and field: %s", (_what, content, field, message) => {
    store.save(agent({ id: "good", name: "Good" }));
    putFile("tester", content);
    const { agents, problems } = store.list();
    expect(agents.map(({ id }) => id)).toEqual(["default", "good"]);
    expect(problems).toEqual([
      { file: fileOf("tester"), line: 1, field, message: expect.stringMatching(message) },
    ]);
    expect(store.get("tester")).toBeUndefined();
    expect([store.problemsOf("tester"), store.problemsOf("good")]).toEqual([problems, []]);
  });

  it("is never written: saving refuses the same things and leaves the old file", () => {
    store.save(agent());
    const bad = agent({
      interruptOn: {
        execute: { allowedDecisions: ["approve"], when: { args: { command: { matches: "[" } } } },
      },
    });
    expect(() => store.save(bad)).toThrow(/interruptOn\.execute\.when\.args\.command\.matches/);
    expect(store.get("tester")?.interruptOn).toEqual({});
  });

  it.each(["../outside", "a/b", "", ".hidden", "UPPER", "x".repeat(150)])(
    "has no file for the id %j",
    (id) => {
      expect(() => store.save({ ...agent(), id } as Agent)).toThrow(/^id: /);
      expect(store.get(id)).toBeUndefined();
      store.remove(id);
      expect(readdirSync(dataDir)).toEqual([]);
    },
  );
});

describe("the built-in agent", () => {
  it("leaves what is asked about to the policy", () => {
    expect(store.get("default")).toMatchObject({ builtIn: true, interruptOn: {}, mcpServers: [] });
  });

  it("can be duplicated, but not changed, replaced by a file or removed", () => {
    const builtIn = store.get("default")!;
    expect(() => store.save({ ...builtIn, name: "Mine" })).toThrow(/Duplicate it/);
    expect(() => store.remove("default")).toThrow(/cannot be removed/);
    putFile("default", { ...builtIn, builtIn: false, name: "Impostor" });
    expect(store.list().agents.map(({ name }) => name)).toEqual(["Countersign"]);
    expect(store.list().problems).toHaveLength(1);
    const copy = store.save(agent({ ...builtIn, id: "copy", name: "Copy", builtIn: false }));
    expect(copy.prompt).toBe(builtIn.prompt);
  });
});
