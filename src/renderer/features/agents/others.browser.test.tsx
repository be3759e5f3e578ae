/** Agents of other programs and servers of LangGraph as a person adds them, in a real browser over a scripted host. */
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { ContractError } from "../../../shared/contract/errors.ts";
import { openAgents } from "./testing/open-agents.ts";

it("adds an agent of another program that was found, with exactly the words that are shown", async () => {
  const agent = { id: "gemini", name: "Gemini CLI", command: "/usr/bin/gemini", args: ["--acp"] };
  const saved: unknown[] = [];
  const host = openAgents("#/agents/others", {
    "outerAgents.list": () => ({ agents: saved, problems: [], offers: {} }),
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

it("asks the registry only when it is pressed for, shows what would run, and says what there is against it", async () => {
  const agent = {
    id: "some",
    name: "Some agent",
    command: "/usr/bin/npx",
    args: ["--prefix", "/", "--yes", "some@1.2.3", "--acp"],
  };
  const about = { version: "1.2.3", license: "MIT", publisher: "Some people", description: "An agent" };
  const entries = [
    { id: "some", name: "Some agent", ...about, agent },
    { id: "other", name: "Other agent", ...about, license: "", why: "It is a program to download." },
  ];
  const host = openAgents("#/agents/others", {
    "outerAgents.list": () => ({ agents: [], problems: [], offers: {} }),
    "outerAgents.find": () => ({ found: [] }),
    "outerAgents.registry": () => ({ entries, leftOut: 2 }),
    "outerAgents.save": (given: unknown) => given,
  });
  await expect.element(page.getByRole("button", { name: "Read the registry" })).toBeVisible();
  expect(host.inputsOf("outerAgents.registry")).toEqual([]);
  await page.getByRole("button", { name: "Read the registry" }).click();
  const list = page.getByRole("list", { name: "Agents of the registry" });
  for (const text of ["1.2.3 · MIT · Some people", "/usr/bin/npx --prefix / --yes some@1.2.3 --acp"])
    await expect.element(list).toHaveTextContent(text);
  await expect.element(list.getByText("It is a program to download.")).toBeVisible();
  await expect.element(page.getByText("2 entries are not understood here.")).toBeVisible();
  expect(list.getByRole("button").all()).toHaveLength(1);
  await page.getByRole("button", { name: "Add Some agent" }).click();
  const dialog = page.getByRole("dialog");
  await expect.element(dialog.getByText("was not tried with this console", { exact: false })).toBeVisible();
  await dialog.getByRole("textbox", { name: "Arguments, one per line" }).fill("some");
  for (const text of ["no exact version", "looked for in the thread’s folder first"])
    await expect.element(dialog.getByText(text, { exact: false })).toBeVisible();
  await dialog.getByRole("textbox", { name: "Arguments, one per line" }).fill(agent.args.join("\n"));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => host.inputsOf("outerAgents.save")).toEqual([agent]);
});

it("says why the registry could not be read, and asks again", async () => {
  let fails = true;
  openAgents("#/agents/others", {
    "outerAgents.list": () => ({ agents: [], problems: [], offers: {} }),
    "outerAgents.find": () => ({ found: [] }),
    "outerAgents.registry": () => {
      if (fails) throw new ContractError("unavailable", "It answered with status 500.");
      return { entries: [], leftOut: 0 };
    },
  });
  await page.getByRole("button", { name: "Read the registry" }).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("It answered with status 500.");
  fails = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.element(page.getByRole("list", { name: "Agents of the registry" })).toBeInTheDocument();
});

it("chooses the mode and the model of an agent from what it offered, and says which modes ask little", async () => {
  const agent = { id: "qwen", name: "Qwen Code", command: "/usr/bin/qwen", args: ["--acp"] };
  const offers = { qwen: [{ id: "mode", values: ["default", "yolo"] }] };
  const host = openAgents("#/agents/others", {
    "outerAgents.list": () => ({ agents: [{ ...agent, options: { model: "small" } }], problems: [], offers }),
    "outerAgents.find": () => ({ found: [] }),
    "outerAgents.save": (given: unknown) => given,
  });
  await page.getByRole("button", { name: "Change Qwen Code" }).click();
  await page.getByRole("combobox", { name: "Mode", exact: true }).fill("yolo");
  await expect.element(page.getByText("ask about little or nothing", { exact: false })).toBeVisible();
  await page.getByRole("combobox", { name: "Mode", exact: true }).fill("default");
  await expect.element(page.getByText("ask about little", { exact: false })).not.toBeInTheDocument();
  await page.getByRole("combobox", { name: "Model", exact: true }).fill("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect
    .poll(() => host.inputsOf("outerAgents.save"))
    .toEqual([{ ...agent, options: { mode: "default" } }]);
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
  await page.getByLabelText("File of certificates").fill("/etc/farm.pem");
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
    authorityFile: "/etc/farm.pem",
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

it("leaves a server's address the width of a narrow page, with its buttons below", async () => {
  await page.viewport(320, 700);
  const state = { kind: "answers", since: 0, waiting: 1 };
  const url = "https://farm.example/langgraph/production";
  const server = { id: "farm", name: "Farm", url, auth: "x-api-key", place: "public", state };
  openAgents("#/agents/remote", { "remoteServers.list": () => ({ servers: [server], problems: [] }) });
  const row = page.getByRole("listitem").filter({ hasText: url });
  await expect.element(row).toBeVisible();
  const wide = row.element().getBoundingClientRect().width;
  expect(row.getByText(url).element().parentElement!.getBoundingClientRect().width).toBeGreaterThan(wide / 2);
});
