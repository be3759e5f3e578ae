/** Agents and MCP servers as a person sets them up, in a real browser over a scripted host. */
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { type Agent, agentSchema, type McpState, mcpServerSchema } from "../../../shared/contract/agents.ts";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleThread } from "../../testing/samples.ts";
import { useAgentDrafts } from "./agent-draft.ts";

const builtIn = agentSchema.parse({
  id: "default",
  name: "Countersign",
  builtIn: true,
  prompt: "Be useful.",
});
const tools = [
  { name: "execute", description: "Run a command", askedByDefault: true },
  { name: "ls", description: "List a folder", askedByDefault: false },
];

function openAgents(hash: string, answers = {}, threads: ThreadSummary[] = []) {
  return openConsole(
    { threads, approvals: [] },
    {
      "agents.list": () => ({ agents: [builtIn], tools, problems: [] }),
      "agents.save": (agent) => agentSchema.parse(agent),
      "mcp.list": () => ({ servers: [], problems: [] }),
      "models.providers": () => ({
        providers: [],
        defaultModel: { provider: "demo" as const, model: "scripted" },
      }),
      ...answers,
    },
    hash,
  );
}

beforeEach(() => useAgentDrafts.setState({}, true));

it("saves an agent that asks about a tool in a way of its own", async () => {
  const host = openAgents("#/agents/new");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Release Helper");
  await page.getByRole("combobox", { name: "Asking about execute" }).selectOptions("Custom…");
  await page.getByRole("checkbox", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByRole("textbox", { name: "Argument", exact: true }).fill("command");
  await page.getByRole("textbox", { name: "Value or pattern" }).fill("^npm publish");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect
    .poll(() => host.inputsOf("agents.save"))
    .toMatchObject([
      {
        id: "release-helper",
        interruptOn: {
          execute: {
            allowedDecisions: ["approve", "reject", "respond"],
            when: { args: { command: { matches: "^npm publish" } } },
          },
        },
      },
    ]);
});

it("names the field that keeps an agent from being saved, in the form and in the file", async () => {
  const host = openAgents("#/agents/new");
  await page.getByRole("button", { name: "Add a sub-agent" }).click();
  await page.getByRole("textbox", { name: "Name of the sub-agent" }).fill("Not Good");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.element(page.getByText("subAgents.0.name")).toBeVisible();
  await expect
    .element(page.getByRole("textbox", { name: "Name of the sub-agent" }))
    .toHaveAttribute("aria-invalid", "true");

  await page.getByRole("tab", { name: "As a file" }).click();
  const file = page.getByRole("textbox", { name: "Agent as JSON" });
  await file.fill(
    JSON.stringify({ ...builtIn, id: "new", builtIn: false, interruptOn: { ls: { allowedDecisions: [] } } }),
  );
  await expect.element(page.getByRole("alert")).toHaveTextContent("interruptOn.ls.allowedDecisions");
  expect(host.inputsOf("agents.save")).toEqual([]);
});

it("neither saves a broken file nor leaves it for the form", async () => {
  const host = openAgents("#/agents/copy:default");
  await page.getByRole("tab", { name: "As a file" }).click();
  const file = page.getByRole("textbox", { name: "Agent as JSON" });
  await file.fill("{ oops");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.element(page.getByText("Not saved: something has to be put right first.")).toBeVisible();
  await page.getByRole("tab", { name: "Form" }).click();
  await expect.element(file).toHaveValue("{ oops");
  expect(host.inputsOf("agents.save")).toEqual([]);
});

it("duplicates the built-in agent, which itself cannot be changed", async () => {
  const saved: Agent[] = [];
  openAgents("#/agents/agent:default", {
    "agents.save": (agent: Agent) => {
      saved.push(agent);
      return agent;
    },
  });
  await expect.element(page.getByRole("textbox", { name: "Prompt", exact: true })).toBeDisabled();
  await page.getByRole("button", { name: "Duplicate it" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect
    .poll(() => saved)
    .toMatchObject([
      { id: "countersign-copy", name: "Countersign copy", builtIn: false, prompt: "Be useful." },
    ]);
});

it("tests an MCP server before it is saved and lists its tools", async () => {
  const host = openAgents("#/agents/servers", {
    "mcp.test": (server: unknown) => ({ server, tools: [{ name: "echo", description: "Says it again" }] }),
  });
  await page.getByRole("button", { name: "Add a server" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("everything");
  await dialog.getByRole("textbox", { name: "Program" }).fill("npx");
  await dialog.getByRole("textbox", { name: "Arguments, one per line" }).fill("-y\nserver everything");
  await dialog.getByRole("button", { name: "Test" }).click();
  await expect.element(dialog.getByRole("list", { name: "Tools of everything" })).toHaveTextContent("echo");
  expect(host.inputsOf("mcp.test")).toMatchObject([{ command: "npx", args: ["-y", "server everything"] }]);
  expect(host.inputsOf("mcp.save")).toEqual([]);
});

it.each([
  ["Test", "mcp.test"],
  ["Save", "mcp.save"],
] as const)("%s starts no server of which only a part was on the screen", async (press, method) => {
  await page.viewport(480, 500);
  const host = openAgents("#/agents/servers", {
    "mcp.test": (server: unknown) => ({ server, tools: [] }),
    "mcp.save": () => ({}),
  });
  await page.getByRole("button", { name: "Add a server" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("everything");
  // What is pasted as one line is one, however many it is drawn on.
  await dialog.getByRole("textbox", { name: "Program" }).fill(`/opt/${"tools/".repeat(40)}\nserver`);
  const args = Array.from({ length: 60 }, (_, at) => `--part-${at}`).join("\n");
  await dialog.getByRole("textbox", { name: "Arguments, one per line" }).fill(`${args}\n--evil`);
  const button = dialog.getByRole("button", { name: press, exact: true });
  await expect.element(button).toHaveAttribute("data-locked");
  (button.element() as HTMLElement).click();
  await dialog.getByText("Look at the fields to their end.").click();
  expect(host.inputsOf(method)).toEqual([]);
  while (host.inputsOf(method).length === 0) {
    (button.query() as HTMLElement | null)?.click();
    await new Promise(requestAnimationFrame);
  }
  expect(host.inputsOf(method)).toMatchObject([{ command: `/opt/${"tools/".repeat(40)}server` }]);
});

const release = agentSchema.parse({ id: "release", name: "Release", prompt: "Ship it." });
const problem = { file: "/data/agents/broken.json", line: 4, field: "prompt", message: "is missing" };
const listed = (agents: Agent[], problems = [problem]) => ({ agents: [builtIn, ...agents], tools, problems });

it("names the file, line and field of an agent that cannot be used, in the list and where it would open", async () => {
  openAgents("#/agents", { "agents.list": () => listed([]) });
  const alert = page.getByRole("alert");
  await expect.element(alert).toHaveTextContent("/data/agents/broken.json line 4 prompt is missing");
  location.hash = "#/agents/agent:broken";
  await expect.element(page.getByRole("button", { name: "Back to the agents" })).toBeVisible();
  await expect.element(alert).toHaveTextContent("prompt is missing");
});

it("shows a file edited by hand when the person comes back, and lets none of two changes get lost", async () => {
  let stored = release;
  const host = openAgents("#/agents/agent:release", { "agents.list": () => listed([stored], []) });
  const prompt = page.getByRole("textbox", { name: "Prompt", exact: true });
  const save = page.getByRole("button", { name: "Save", exact: true });
  stored = { ...release, prompt: "By hand." };
  window.dispatchEvent(new Event("focus"));
  await expect.element(prompt).toHaveValue("By hand.");

  await prompt.fill("In the form.");
  stored = { ...release, prompt: "By hand again." };
  await save.click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("was changed outside of this form");
  await expect.element(save).toBeDisabled();
  expect(host.inputsOf("agents.save")).toEqual([]);
  await page.getByRole("button", { name: "Keep what is here" }).click();
  await save.click();
  await expect.poll(() => host.inputsOf("agents.save")).toMatchObject([{ prompt: "In the form." }]);
});

it("takes the version of the file when the person says so, also into the file's own view", async () => {
  let stored = release;
  const host = openAgents("#/agents/agent:release", { "agents.list": () => listed([stored], []) });
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("In the form.");
  await page.getByRole("tab", { name: "As a file" }).click();
  stored = { ...release, prompt: "By hand." };
  window.dispatchEvent(new Event("focus"));
  await page.getByRole("button", { name: "Take the file’s version" }).click();
  await expect.element(page.getByRole("textbox", { name: "Prompt", exact: true })).toHaveValue("By hand.");
  await page.getByRole("tab", { name: "As a file" }).click();
  await expect
    .element(page.getByRole("textbox", { name: "Agent as JSON" }))
    .toHaveValue(JSON.stringify(stored, null, 2));
  expect(host.inputsOf("agents.save")).toEqual([]);
});

it("gives a new agent an id that no file has, also none that is refused", async () => {
  const host = openAgents("#/agents/new", { "agents.list": () => listed([]) });
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Broken");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => host.inputsOf("agents.save")).toMatchObject([{ id: "broken-2" }]);
});

it("says before an agent is removed what becomes of the threads that use it", async () => {
  openAgents("#/agents", { "agents.list": () => listed([release], []) }, [
    sampleThread("t1", { agentId: release.id }),
    sampleThread("t2", { agentId: release.id }),
    sampleThread("t3"),
  ]);
  await page.getByRole("button", { name: "Remove Release" }).click();
  await expect
    .element(page.getByRole("dialog"))
    .toHaveTextContent("2 threads use it and go on with the built-in agent and its rules about asking.");
});

const server = (name: string, change: Partial<McpState> = {}): McpState => ({
  server: mcpServerSchema.parse({ transport: "stdio", name, command: "npx" }),
  connected: false,
  tools: [],
  ...change,
});
const echo = { name: "mcp__talk__echo", description: "Says it again" };

it("shows what was last known of each server and its tools, and what is wrong in their file", async () => {
  const off = server("off");
  openAgents("#/agents/servers", {
    "mcp.list": () => ({
      servers: [
        server("talk", { connected: true, tools: [echo] }),
        server("fresh"),
        server("lost", { problem: "The MCP server lost ended." }),
        { ...off, server: { ...off.server, enabled: false } },
      ],
      problems: [{ ...problem, file: "/data/mcp.json", field: "mcpServers.bad.command" }],
    }),
  });
  await expect
    .element(page.getByRole("alert"))
    .toHaveTextContent("/data/mcp.json line 4 mcpServers.bad.command");
  const rows = page.getByRole("list", { name: "Servers" }).getByRole("listitem");
  await expect.element(rows.nth(1)).toHaveTextContent("Not connected; it starts when an agent needs it");
  await expect.element(rows.nth(2)).toHaveTextContent("The MCP server lost ended.");
  await expect.element(rows.nth(3)).toHaveTextContent("Turned off");
  await expect.element(rows.nth(0)).toHaveTextContent("Connected");
  await rows.nth(0).getByRole("button", { name: "1 tool" }).click();
  await expect.element(page.getByRole("list", { name: "Tools of talk" })).toHaveTextContent("Says it again");
});

it("offers the tools of an agent's servers to choose and to ask about, and says when none of them is chosen", async () => {
  const host = openAgents("#/agents/copy:default", {
    "mcp.list": () => ({ servers: [server("talk", { tools: [echo] })], problems: [] }),
  });
  await page.getByRole("switch", { name: "Choose the tools" }).click();
  await page.getByRole("checkbox", { name: /^talk/ }).click();
  await expect.element(page.getByText("None of its tools are among the chosen ones above.")).toBeVisible();
  await page.getByRole("checkbox", { name: /mcp__talk__echo/ }).click();
  await expect.element(page.getByText("1 tool, asks by default")).toBeVisible();
  await page.getByRole("combobox", { name: "Asking about mcp__talk__echo" }).selectOptions("Always ask");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect
    .poll(() => host.inputsOf("agents.save"))
    .toMatchObject([
      {
        mcpServers: ["talk"],
        tools: ["execute", "ls", echo.name],
        interruptOn: { [echo.name]: true },
      },
    ]);
});

it("sets of each tool whether it only reads, shows the server's own word, and takes back what was not saved", async () => {
  const tools = [
    { ...echo, hint: "reads" as const, digest: "d1" },
    { name: "mcp__talk__send", description: "Sends it", hint: "changes" as const, digest: "d2" },
  ];
  let refuses = false;
  const host = openAgents("#/agents/servers", {
    "mcp.list": () => ({ servers: [server("talk", { connected: true, tools })], problems: [] }),
    "mcp.setToolClass": () => {
      if (refuses) throw new Error("It is another tool by now.");
      return {};
    },
  });
  await page.getByRole("button", { name: "2 tools" }).click();
  const list = page.getByRole("list", { name: "Tools of talk" });
  await expect.element(list).toHaveTextContent("The server says it only reads.");
  const choice = page.getByRole("combobox", { name: "What mcp__talk__echo does" });
  await expect.element(choice).toHaveValue("unset");
  await choice.selectOptions("Only reads: runs");
  await expect
    .poll(() => host.inputsOf("mcp.setToolClass"))
    .toEqual([{ tool: "mcp__talk__echo", digest: "d1", class: "reads" }]);
  refuses = true;
  await choice.selectOptions("Not said: asks");
  await expect.element(choice).toHaveValue("reads");
  await expect.element(page.getByText("It is another tool by now.").first()).toBeVisible();
});

it("adds an agent of another program that was found, with exactly the words that are shown", async () => {
  const agent = { id: "gemini", name: "Gemini CLI", command: "/usr/bin/gemini", args: ["--acp"] };
  const saved: unknown[] = [];
  const host = openAgents("#/agents/others", {
    "outerAgents.list": () => ({ agents: saved, problems: [] }),
    "outerAgents.find": () => ({ found: [{ agent, path: agent.command }] }),
    "outerAgents.save": (given: unknown) => {
      saved.push(given);
      return given;
    },
  });
  await expect.element(page.getByText("decides itself what it asks about", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: "Add Gemini CLI" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => host.inputsOf("outerAgents.save")).toEqual([agent]);
  await expect
    .element(page.getByRole("list", { name: "Agents of other programs" }))
    .toHaveTextContent("--acp");
  await expect.element(page.getByText("Found on this computer")).not.toBeInTheDocument();
});

it("adds a LangGraph server with its key, says why one is not kept, and how those that are answer", async () => {
  const state = { kind: "silent", since: 0, waiting: 0, problem: "Nothing answers at farm.example." };
  const server = {
    id: "farm",
    name: "Farm",
    url: "https://farm.example",
    auth: "x-api-key",
    place: "public",
    state,
  };
  let problem: object | undefined = { field: "url", message: "farm.example answered with a web page." };
  const servers: object[] = [];
  const host = openAgents("#/agents/remote", {
    "remoteServers.list": () => ({ servers, problems: [] }),
    "remoteServers.save": () => {
      if (problem) return { ok: false, problem };
      servers.push(server);
      return { ok: true, server };
    },
  });
  await page.getByRole("button", { name: "Add a server" }).click();
  await page.getByLabelText("Name").fill("Farm");
  await page.getByLabelText("Address").fill("https://farm.example");
  await page.getByLabelText("Key", { exact: true }).fill("s3cret");
  await page.getByRole("button", { name: "Ask and save" }).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("a web page");
  problem = undefined;
  await page.getByRole("button", { name: "Ask and save" }).click();
  await expect
    .element(page.getByRole("list", { name: "LangGraph servers" }))
    .toHaveTextContent("Nothing answers at farm.example.");
  expect(host.inputsOf("remoteServers.save").at(-1)).toEqual({
    id: "farm",
    name: "Farm",
    url: "https://farm.example",
    auth: "x-api-key",
    key: "s3cret",
  });
});

it("begins a thread on a server: whom it is for, its first message, and why it could not", async () => {
  const state = { kind: "answers", since: 0, waiting: 0 };
  const server = {
    id: "farm",
    name: "Farm",
    url: "https://farm.example",
    auth: "none",
    place: "public",
    state,
  };
  const assistants = [
    { id: "a-1", graph: "agent", name: "Reviewer" },
    { id: "a-2", graph: "deep", name: "" },
  ];
  const host = openAgents("#/agents/remote", {
    "remoteServers.list": () => ({ servers: [server], problems: [] }),
    "remoteServers.assistants": () => ({ assistants }),
    "remoteServers.start": () => {
      throw new Error("Nothing answers at farm.example.");
    },
  });
  await page.getByRole("button", { name: "Begin a thread on Farm" }).click();
  await page.getByRole("combobox", { name: "Whom it is for" }).selectOptions("deep");
  await expect.element(page.getByRole("button", { name: "Send" })).toBeDisabled();
  await page.getByRole("textbox", { name: "First message" }).fill("tidy up");
  await page.getByRole("button", { name: "Send" }).click();
  await expect.element(page.getByRole("alert")).toBeVisible();
  await page.getByRole("button", { name: "Send" }).click();
  await expect.poll(() => host.inputsOf("remoteServers.start")).toHaveLength(2);
  const [first, second] = host.inputsOf("remoteServers.start");
  expect(first).toMatchObject({ id: "farm", assistant: "a-2", text: "tidy up" });
  expect(second).toEqual(first);
});

it("exports an agent into a new folder, and says what it loses before anything is written", async () => {
  const host = openAgents("#/agents", {
    "agents.project": () => ({ lost: ["The gate.", "Your keys."] }),
  });
  await page.getByRole("button", { name: "Export Countersign as LangGraph project" }).click();
  await expect.element(page.getByRole("dialog")).toHaveTextContent("Your keys.");
  expect(host.inputsOf("agents.project")).toEqual([{ id: "default" }]);
  await page.getByRole("textbox", { name: "New folder" }).fill("/tmp/farm");
  await page.getByRole("button", { name: "Write the folder" }).click();
  await expect.element(page.getByRole("dialog")).toHaveTextContent("npm start");
  expect(host.inputsOf("agents.project").at(-1)).toEqual({ id: "default", folder: "/tmp/farm" });
});
