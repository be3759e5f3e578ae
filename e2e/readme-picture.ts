/** No test: makes the picture of the README from the real console, where COUNTERSIGN_PICTURE names its file. */
import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ScriptedServer } from "../src/main/agents/servers/testing/scripted-server.ts";
import { type App, expect, test } from "./app-fixture/app.ts";
import { newThread, openCard, openView, pressOnceRead, rows, send } from "./app-fixture/console-steps.ts";

const limiter = [
  "/** How many requests a client may make. */",
  "export const perMinute = 600;",
  "",
  "export function isAllowed(count: number): boolean {",
  "  return count < perMinute;",
  "}",
  "",
];

const off = "  return count < perMinute;";
const on = "  // The last request of the minute counts too.\n  return count <= perMinute;";
const edit = JSON.stringify({ file_path: "src/limit.ts", old_string: off, new_string: on });

const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];

/** Title of the thread, and what its agent is told to do. */
const work = [
  ["Release 2.4", "say The build is green, so this goes to the mirror.\nrun git push --tags mirror"],
  ["Tidy the old fixtures", "say Nothing refers to these any more.\nrun rm -r fixtures/2023"],
  ["Fix the flaky checkout test", "say I run it until it fails.\nrun npm test -- --repeat 20 checkout"],
  ["Translate the emails", "ask Which language should come first?"],
] as const;
/** The same of an agent of another program that works with the tools of the console. */
const governedWork = [
  "Rate limit: off by one",
  `say The limit says 600 a minute, and 599 pass.\ncall edit_file ${edit} ; execute {"command":"npm test"}`,
] as const;

async function rename(app: App, from: string, title: string): Promise<void> {
  const threads = app.page.getByRole("list", { name: "Threads" });
  await threads.getByRole("button", { name: `More for ${from}` }).click();
  await app.page.getByRole("menuitem", { name: "Rename…" }).click();
  await app.page.getByRole("textbox", { name: "Title" }).fill(title);
  await app.page.getByRole("button", { name: "Save" }).click();
  await expect(threads).toContainText(title);
}

/** A program of its own that speaks the Agent Client Protocol; it is told what to do as the demo model is. */
const outerAgent = fileURLToPath(new URL("../src/main/agents/acp/testing/fake-agent.mjs", import.meta.url));

async function openSettings(app: App, part: string): Promise<void> {
  await openView(app, "Settings");
  const parts = app.page.getByRole("navigation", { name: "Parts of the settings" });
  await parts.getByRole("button", { name: part }).click();
}

/** A thread of an agent that another program is, in a folder that is trusted. */
async function askByProtocol(
  app: App,
  { name, program, args }: { name: string; program: string; args: string },
  [title, text]: readonly [string, string],
  waiting: number,
): Promise<void> {
  const { page } = app;
  await openView(app, "Agents");
  await page.getByRole("tab", { name: "Other programs" }).click();
  await page.getByRole("button", { name: "Add an agent" }).click();
  const dialog = page.getByRole("dialog", { name: "Add an agent of another program" });
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill(name);
  await dialog.getByRole("textbox", { name: "Program" }).fill(program);
  await dialog.getByRole("textbox", { name: "Arguments, one per line" }).fill(args);
  await pressOnceRead(dialog.getByRole("button", { name: "Save" }));
  await page.getByRole("button", { name: new RegExp(`^Start .*${name}`) }).click();
  await send(app, text);
  await expect(page.getByRole("region", { name: "Approvals" }).getByRole("article")).toHaveCount(1);
  if (waiting > 1) await expect(page.getByText(new RegExp(`^\\d of ${waiting}$`))).toBeVisible();
  await rename(app, text.slice(0, 20), title);
}

/** The same agent under the name and words of one that is governed, as that calls itself. @returns its program */
async function wrapAsGoverned(app: App): Promise<string> {
  const program = join(app.dataDir, "..", "bin/claude-agent-acp");
  await mkdir(join(program, ".."), { recursive: true });
  const words = [process.execPath, outerAgent, join(app.dataDir, "..", "governed-journal")];
  const named = "named=@agentclientprotocol/claude-agent-acp";
  const line = [...words, named, "version=0.100.0"].map((word) => `'${word}'`).join(" ");
  await writeFile(program, `#!/bin/sh\nexec ${line}\n`, { mode: 0o700 });
  return program;
}

/** A thread that waits on a server. @returns how the server ends. */
async function askOnServer({ page }: App): Promise<() => Promise<void>> {
  const server = new ScriptedServer();
  await server.start();
  const args = { service: "billing", to: "staging", version: "2.4.0" };
  server.ask("deploy", {
    actionRequests: [{ name: "deploy_service", args }],
    reviewConfigs: [{ actionName: "deploy_service", allowedDecisions: ["approve", "edit", "reject"] }],
  }).messages = [{ type: "human", content: "Billing to staging" }];
  await page.getByRole("tab", { name: "LangGraph servers" }).click();
  await page.getByRole("button", { name: "Add a server" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a LangGraph server" });
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("Build farm");
  await dialog.getByRole("textbox", { name: "Address" }).fill(server.url);
  await dialog.getByRole("combobox", { name: "How it knows you" }).selectOption("It asks for no key");
  await pressOnceRead(dialog.getByRole("button", { name: "Ask and save" }));
  await expect(page.getByText("1 thread waits there")).toBeVisible();
  return () => server.stop();
}

/** Asks as an agent in a terminal does, by the hook that the console writes for it. @returns how it ends. */
async function askFromTerminal(app: App): Promise<() => void> {
  await openSettings(app, "Deciding");
  await app.page.getByRole("switch", { name: "Agents in a terminal" }).click();
  const hook = join(app.dataDir, "terminal-hook");
  await expect.poll(() => existsSync(hook)).toBe(true);
  const asking = spawn("sh", [hook, "claude-code"], { stdio: ["pipe", "ignore", "ignore"] });
  asking.stdin.end(
    JSON.stringify({
      hook_event_name: "PermissionRequest",
      session_id: "terminal",
      cwd: app.workspace,
      tool_name: "Bash",
      tool_input: { command: "docker compose up -d db", description: "Start the database" },
    }),
  );
  return () => asking.kill();
}

test("the picture of the README", async ({ app }) => {
  await mkdir(join(app.workspace, "src"), { recursive: true });
  await mkdir(join(app.workspace, "fixtures/2023"), { recursive: true });
  await writeFile(join(app.workspace, "src/limit.ts"), limiter.join("\n"));
  await writeFile(join(app.workspace, "fixtures/2023/orders.json"), "[]\n");
  for (const args of [["init"], ["add", "."], [...author, "commit", "-m", "Start"]])
    execFileSync("git", args, { cwd: app.workspace, stdio: "ignore" });
  for (const [title, text] of work) {
    await newThread(app);
    await send(app, text);
    await expect(app.page.getByRole("region", { name: "Approvals" }).getByRole("article")).toHaveCount(1);
    await rename(app, text.slice(0, 20), title);
  }
  await openSettings(app, "Folders");
  await app.page.getByRole("switch", { name: /^Trust/ }).click();
  const governed = { name: "Claude Code", program: await wrapAsGoverned(app), args: "" };
  await askByProtocol(app, governed, governedWork, 2);
  const args = `${outerAgent}\n${join(app.dataDir, "..", "journal")}`;
  const asking = { name: "Docs agent", program: process.execPath, args };
  await askByProtocol(app, asking, ["Publish the docs", "run npm run docs:build"], 1);
  await openView(app, "Agents");
  const endServer = await askOnServer(app);
  const endAsking = await askFromTerminal(app);
  await app.page.emulateMedia({ colorScheme: "light" });
  await openView(app, "Approvals");
  await expect(rows(app)).toHaveCount(9);
  const card = await openCard(app, "src/limit.ts");
  for (const saved of ["Claude Code", "Docs agent", "Build farm"])
    await expect(app.page.getByText(`${saved} is saved.`)).toBeHidden();
  await app.page.mouse.move(0, 0);
  await expect(card.getByRole("button", { name: "Approve", exact: true })).not.toHaveAttribute("data-locked");
  await app.page.screenshot({ path: process.env.COUNTERSIGN_PICTURE, animations: "disabled" });
  endAsking();
  await endServer();
});
