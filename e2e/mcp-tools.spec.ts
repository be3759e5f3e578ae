/** MCP servers from being added to the result of a call: whatever their tools do waits until a person says yes. */
import {
  everythingPath,
  filesystemPath,
  freePort,
  startEverything,
} from "../src/main/agents/mcp/testing/reference-servers.ts";
import { type App, expect, test } from "./app-fixture/app.ts";
import {
  agentSaid,
  approvals,
  cardFor,
  glimpseMs,
  openView,
  pressOnceRead,
  pressUntil,
  send,
} from "./app-fixture/console-steps.ts";

type Server = { name: string; args: string } | { name: string; url: string };

/** Adds a server in the dialog, tests it there and saves it. */
async function addServer(app: App, server: Server, tool: string): Promise<void> {
  await openView(app, "Agents");
  await app.page.getByRole("tab", { name: "MCP servers" }).click();
  await app.page.getByRole("button", { name: "Add a server" }).click();
  const dialog = app.page.getByRole("dialog", { name: "Add an MCP server" });
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill(server.name);
  if ("url" in server) {
    await dialog.getByRole("combobox", { name: "How it is reached" }).selectOption("An address");
    await dialog.getByRole("textbox", { name: "Address" }).fill(server.url);
  } else {
    await dialog.getByRole("textbox", { name: "Program" }).fill(process.execPath);
    await dialog.getByRole("textbox", { name: "Arguments" }).fill(server.args);
  }
  await pressOnceRead(dialog.getByRole("button", { name: "Test" }));
  await expect(dialog.getByRole("list", { name: `Tools of ${server.name}` })).toContainText(tool);
  await pressOnceRead(dialog.getByRole("button", { name: "Save" }));
  await expect(dialog).toBeHidden();
  const row = app.page.getByRole("list", { name: "Servers" }).getByRole("listitem");
  await expect(row).toContainText("Not connected; it starts when an agent needs it");
}

/** Makes an agent that may use the server, and opens a thread with it. */
async function startWith(app: App, server: string): Promise<void> {
  await app.page.getByRole("tab", { name: "Agents" }).click();
  await app.page.getByRole("button", { name: "Make an agent" }).click();
  await app.page.getByRole("textbox", { name: "Name", exact: true }).fill("Connected");
  await app.page.getByRole("checkbox", { name: new RegExp(`^${server}`) }).check();
  await expect(app.page.getByText(/\d+ tools, ask by default/)).toBeVisible();
  await app.page.getByRole("button", { name: "Save", exact: true }).click();
  await app.page.getByRole("button", { name: /^Start Connected/ }).click();
  await expect(app.page.getByRole("textbox", { name: "Message" })).toBeVisible();
}

/** Goes to the queue, where the one card that waits shows this argument, and answers it with a key. */
async function decideByKey(
  app: App,
  shown: string,
  key: string,
  happened: () => Promise<void>,
): Promise<void> {
  await openView(app, "Approvals");
  const card = approvals(app).getByRole("article").first();
  await expect(card).toContainText(shown);
  await card.focus();
  await pressUntil(app, key, happened);
}

const emptied = (app: App) => () =>
  expect(approvals(app).getByRole("article")).toHaveCount(0, { timeout: glimpseMs });

async function askEcho(app: App, server: Server): Promise<void> {
  await addServer(app, server, "echo");
  await startWith(app, server.name);
  const call = `call mcp__${server.name}__echo {"message": "round and back"}`;
  await send(app, call);
  await expect(cardFor(app, `mcp__${server.name}__echo`)).toBeVisible();
  await expect(agentSaid(app, "Echo: round and back")).toBeHidden();
  await decideByKey(app, "round and back", "y", emptied(app));
  await app.page.goBack();
  await expect(agentSaid(app, "Echo: round and back")).toBeVisible();
  await openView(app, "Agents");
  await app.page.getByRole("tab", { name: "MCP servers" }).click();
  const row = app.page.getByRole("list", { name: "Servers" }).getByRole("listitem");
  await expect(row).toContainText("Connected");
  await row.getByRole("button", { name: /^\d+ tools$/ }).click();
  await expect(app.page.getByRole("list", { name: `Tools of ${server.name}` })).toContainText("echo");
  await app.expectAccessible();
}

test("a tool of a server that is a program runs when it was approved by key", { tag: "@long" }, async ({
  app,
}) => {
  await askEcho(app, { name: "everything", args: `${everythingPath}\nstdio` });
});

test("a tool of a server at an address runs when it was approved by key", { tag: "@long" }, async ({
  app,
}) => {
  const port = await freePort();
  const server = await startEverything("streamableHttp", port);
  try {
    await askEcho(app, { name: "remote", url: `http://127.0.0.1:${port}/mcp` });
  } finally {
    await server.kill();
  }
});

test("a rejected call never reaches its server, an approved one does", { tag: "@long" }, async ({ app }) => {
  await addServer(app, { name: "files", args: `${filesystemPath}\n${app.workspace}` }, "write_file");
  await startWith(app, "files");
  const write = (content: string) =>
    `call mcp__files__write_file ${JSON.stringify({ path: `${app.workspace}/made.txt`, content })}`;
  await send(app, write("refused"));
  await expect(cardFor(app, "mcp__files__write_file")).toBeVisible();
  await decideByKey(app, "refused", "n", () =>
    expect(app.page.getByRole("textbox", { name: "Reason" })).toBeFocused({ timeout: glimpseMs }),
  );
  await app.page.keyboard.type("not this file");
  await app.page.keyboard.press("Enter");
  // Who leaves the card in the same moment has not decided about it.
  await expect(approvals(app).getByRole("article")).toHaveCount(0);
  await app.page.goBack();
  await expect(agentSaid(app, "not this file")).toBeVisible();
  expect(await app.read("made.txt")).toBeUndefined();

  await send(app, write("wanted"));
  await expect(cardFor(app, "mcp__files__write_file")).toBeVisible();
  await decideByKey(app, "wanted", "y", emptied(app));
  await expect.poll(() => app.read("made.txt")).toBe("wanted");
});

test("a call of a tool that is not there is answered without asking anybody", { tag: "@long" }, async ({
  app,
}) => {
  await app.page.getByRole("button", { name: "New thread" }).first().click();
  await send(app, 'call nowhere {"a": 1}\ncall ls {oops');
  await expect(agentSaid(app, "there is no tool nowhere here. There are:")).toBeVisible();
  await expect(agentSaid(app, "is not JSON")).toBeVisible();
  await expect(approvals(app).getByRole("article")).toHaveCount(0);
});
