/** Agents and MCP servers as a person sets them up, in a real browser over a scripted host. */
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { type Agent, agentSchema } from "../../../shared/contract/agents.ts";
import { openConsole } from "../../testing/open-console.ts";
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

function openAgents(hash: string, answers = {}) {
  return openConsole(
    { threads: [], approvals: [] },
    {
      "agents.list": () => ({ agents: [builtIn], tools }),
      "agents.save": (agent) => agentSchema.parse(agent),
      "mcp.list": () => ({ servers: [] }),
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
