/** MCP servers as a person sets them up and gives them to agents, in a real browser over a scripted host. */
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { type McpState, mcpServerSchema } from "../../../shared/contract/agents.ts";
import { useAgentDrafts } from "./agent-draft.ts";
import { openAgents, problem } from "./testing/open-agents.ts";

beforeEach(() => useAgentDrafts.setState({}, true));

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

it("offers the servers of the deepagents CLI in the form, whose values stay where they are", async () => {
  const other = mcpServerSchema.parse({
    transport: "stdio",
    name: "hub",
    command: "npx",
    args: ["-y", "hub"],
    env: { TOKEN: "•••" },
  });
  const host = openAgents("#/agents/servers", {
    "mcp.list": () => ({ servers: [], problems: [], others: { servers: [other], problems: [problem] } }),
    "mcp.save": (saved: unknown) => ({ server: saved, tools: [] }),
  });
  const others = page.getByRole("region", { name: "Servers of the deepagents CLI" });
  await expect.element(others.getByRole("alert")).toHaveTextContent("cannot be taken over");
  await others.getByRole("button", { name: "Set up hub" }).click();
  const dialog = page.getByRole("dialog", { name: "Add an MCP server" });
  await expect.element(dialog.getByRole("textbox", { name: "Program" })).toHaveValue("npx");
  const save = dialog.getByRole("button", { name: "Save", exact: true });
  await expect.element(save).not.toHaveAttribute("data-locked");
  await save.click();
  await expect.poll(() => host.inputsOf("mcp.save")).toEqual([other]);
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
