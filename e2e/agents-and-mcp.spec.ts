/** Agents of one's own ask as they were told to, and MCP servers are tried before anything may use them. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "./app-fixture/app.ts";
import {
  agentSaid,
  approvals,
  approvePatiently,
  cardFor,
  openView,
  pressOnceRead,
  send,
} from "./app-fixture/console-steps.ts";
import { projectRoot } from "./app-fixture/door.ts";

const fakeAgent = join(projectRoot, "src/main/agents/acp/testing/fake-agent.mjs");
const everything = join(projectRoot, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");

test("an agent asks about what it was told to ask about, and only about that", async ({ app }) => {
  await writeFile(join(app.workspace, "notes.md"), "hello");
  await openView(app, "Agents");
  await app.page.getByRole("button", { name: "Make an agent" }).click();
  await app.page.getByRole("textbox", { name: "Name", exact: true }).fill("Careful reader");
  await app.page.getByRole("combobox", { name: "Asking about read_file" }).selectOption("Always ask");
  await app.page.getByRole("combobox", { name: "Asking about execute" }).selectOption("Do not ask");
  await app.page.getByRole("button", { name: "Save", exact: true }).click();
  const agents = app.page.getByRole("list", { name: "Agents you can start" });
  await expect(agents).toContainText("Careful reader");
  await agents.getByRole("button", { name: /^Start Careful reader/ }).click();
  await expect(app.page.getByRole("textbox", { name: "Message" })).toBeVisible();
  await send(app, "run touch made.txt\n\nread notes.md");
  const card = cardFor(app, "notes.md");
  await expect(card).toBeVisible();
  expect(await app.read("made.txt")).toBe("");
  await expect(approvals(app).getByRole("article")).toHaveCount(1);
  await card.getByRole("button", { name: "Approve" }).click();
  await expect(agentSaid(app, "2 of 2 steps worked")).toBeVisible();
});

test("an MCP server is added, tried, and lists its tools", { tag: "@long" }, async ({ app }) => {
  await openView(app, "Agents");
  await app.page.getByRole("tab", { name: "MCP servers" }).click();
  await app.page.getByRole("button", { name: "Add a server" }).click();
  const dialog = app.page.getByRole("dialog", { name: "Add an MCP server" });
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("everything");
  await dialog.getByRole("textbox", { name: "Program" }).fill("/nowhere/at-all");
  await pressOnceRead(dialog.getByRole("button", { name: "Test" }));
  await expect(dialog.getByText("It does not work:", { exact: false })).toBeVisible();
  await dialog.getByRole("textbox", { name: "Program" }).fill(process.execPath);
  await dialog.getByRole("textbox", { name: "Arguments" }).fill(`${everything}\nstdio`);
  await pressOnceRead(dialog.getByRole("button", { name: "Test" }));
  await expect(dialog.getByRole("list", { name: "Tools of everything" })).toContainText("echo");
  await pressOnceRead(dialog.getByRole("button", { name: "Save" }));
  await expect(dialog).toBeHidden();
  const servers = app.page.getByRole("list", { name: "Servers" });
  await servers.getByRole("button", { name: "Test everything" }).click();
  await expect(servers.getByText(/It answers with \d+ tools\./)).toBeVisible();
  await servers.getByRole("button", { name: "Remove everything" }).click();
  await app.page.getByRole("button", { name: "Remove server" }).click();
  await expect(app.page.getByText("No MCP server yet")).toBeVisible();
});

test("an agent of another program starts in a trusted folder alone, and what it asks stands in the queue", async ({
  app,
}) => {
  const { page } = app;
  await openView(app, "Agents");
  await page.getByRole("tab", { name: "Other programs" }).click();
  await page.getByRole("button", { name: "Add an agent" }).click();
  const dialog = page.getByRole("dialog", { name: "Add an agent of another program" });
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("Fake");
  await dialog.getByRole("textbox", { name: "Program" }).fill(process.execPath);
  await dialog
    .getByRole("textbox", { name: "Arguments" })
    .fill(`${fakeAgent}\n${app.dataDir}/fake-agent.txt`);
  await pressOnceRead(dialog.getByRole("button", { name: "Save" }));
  const start = page.getByRole("button", { name: /^Start Fake/ });
  await start.click();
  await send(app, "say too early");
  await expect(page.getByText("Trust this folder first.", { exact: false }).first()).toBeVisible();

  await openView(app, "Settings");
  await page.getByRole("button", { name: "Folders", exact: true }).click();
  const trust = page.getByRole("switch", { name: /^Trust workspace/ });
  await trust.click();
  await expect(trust).toBeChecked();
  await openView(app, "Agents");
  await page.getByRole("tab", { name: "Other programs" }).click();
  await start.click();
  await send(app, "run echo hello > made.txt\nsay finished");
  const card = cardFor(app, "echo hello");
  await expect(card).toContainText("Fake wants to run a command");
  await expect(card).toContainText("neither held nor undone here");
  expect(await app.read("made.txt")).toBeUndefined();
  await approvePatiently(app, "echo hello");
  await expect(agentSaid(app, "finished")).toBeVisible();
  expect(await app.read("made.txt")).toBe("hello\n");
});
