/** Agents as a person sets them up, in a real browser over a scripted host. */
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { type Locator, page } from "vitest/browser";
import { type Agent, agentSchema } from "../../../shared/contract/agents.ts";
import { sampleThread } from "../../testing/samples.ts";
import { useAgentDrafts } from "./agent-draft.ts";
import { builtIn, openAgents, problem, tools } from "./testing/open-agents.ts";

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

const release = agentSchema.parse({ id: "release", name: "Release", prompt: "Ship it." });
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

it("has its tabs in one line, and the buttons of an agent in one, on a window of 480 pixels", async () => {
  await page.viewport(480, 800);
  onTestFinished(() => page.viewport(1280, 800));
  openAgents("#/agents");
  const agent = page.getByRole("list", { name: "Agents you can start" }).getByRole("listitem");
  await expect.element(agent).toBeVisible();
  const middles = (of: Locator) =>
    of.elements().map((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return (top + bottom) / 2;
    });
  expect(new Set(middles(page.getByRole("tab"))).size).toBe(1);
  expect(new Set(middles(agent.getByRole("button")).map(Math.round)).size).toBe(1);
});
