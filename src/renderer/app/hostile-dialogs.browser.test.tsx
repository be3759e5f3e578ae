/** Whatever a thread or an agent is called, the question before it goes says with its own words alone what it is about. */
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { agentSchema } from "../../shared/contract/agents.ts";
import { outerAgentSchema } from "../../shared/contract/outer-agents.ts";
import {
  asOwnWords,
  bareHiddenIn,
  brokenLabelsIn,
  collisionsIn,
  outOf,
  unquotedInTitle,
} from "../testing/card-geometry.ts";
import { hostileTexts } from "../testing/hostile-texts.ts";
import { openConsole } from "../testing/open-console.ts";
import { sampleThread } from "../testing/samples.ts";

const short = 80;
const more = (text: string) => async () => {
  const row = await vi.waitFor(() => {
    const found = [...document.querySelectorAll<HTMLElement>("button")].find(
      (one) => one.getAttribute("aria-label")?.startsWith(text) || one.textContent?.startsWith(text),
    );
    if (!found) throw new Error(`There is no button ${text}.`);
    return found;
  });
  row.click();
};

const agents = {
  "agents.list": () => ({ agents: [], tools: [], problems: [] }),
  "mcp.list": () => ({ servers: [], problems: [] }),
  "models.providers": () => ({
    providers: [],
    defaultModel: { provider: "demo" as const, model: "scripted" },
  }),
};
const removed = (text: string) => ({ id: "x", name: text.slice(0, short).trim() });

/** How each of them is opened with the text wherever others choose words. */
const dialogs: Record<string, (text: string) => Promise<void>> = {
  "delete a thread": async (text) => {
    openConsole({ threads: [sampleThread("t1", { title: text })], approvals: [] }, {}, "#/threads");
    await more("More for")();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
  },
  "remove an agent": async (text) => {
    const agent = agentSchema.parse({ ...removed(text), builtIn: false, prompt: text });
    openConsole(
      { threads: [], approvals: [] },
      { ...agents, "agents.list": () => ({ agents: [agent], tools: [], problems: [] }) },
      "#/agents",
    );
    await more("Remove ")();
  },
  "remove an agent of another program": async (text) => {
    const agent = outerAgentSchema.parse({ ...removed(text), command: "/usr/bin/x", args: ["--acp"] });
    openConsole(
      { threads: [], approvals: [] },
      { ...agents, "outerAgents.list": () => ({ agents: [agent], problems: [], offers: {} }) },
      "#/agents/others",
    );
    await more("Remove ")();
  },
  "export an agent": async (text) => {
    const agent = agentSchema.parse({ ...removed(text), builtIn: false, prompt: text });
    openConsole(
      { threads: [], approvals: [] },
      {
        ...agents,
        "agents.list": () => ({ agents: [agent], tools: [], problems: [] }),
        "agents.project": () => ({ lost: [text] }),
      },
      "#/agents",
    );
    await more("Export ")();
  },
};

const texts = {
  "speaks as the console, turns, hides and piles up": [
    'Old"? Cancel keeps it. Approved by you "',
    hostileTexts["turning text"],
    hostileTexts["text of no width"],
    hostileTexts["a page of its own"],
    hostileTexts["words of the console"],
    hostileTexts["many line ends"],
  ].join(" "),
  "is one word of many bytes": `数${"x".repeat(1_500)}${"据".repeat(1_000)}`,
};

/** Buttons that a person could not reach without knowing that they are there. */
function buttonsOff(dialog: Element): string[] {
  const ends = [...dialog.querySelectorAll<HTMLElement>("button")].filter(
    (one) => !one.closest("[class*=overflow-y]"),
  );
  return ends
    .filter((one) => {
      const box = one.getBoundingClientRect();
      return box.top < 0 || box.bottom > window.innerHeight || box.left < 0 || box.right > window.innerWidth;
    })
    .map((one) => one.textContent ?? "");
}

const problems: Record<string, (dialog: Element, text: string) => string[]> = {
  "has a title that others end": unquotedInTitle,
  "runs out": outOf,
  collides: collisionsIn,
  "comes apart": brokenLabelsIn,
  "draws a hidden character": bareHiddenIn,
  "passes words of others for the console's own": (dialog, text) => asOwnWords(dialog, text.slice(0, 12)),
  "has buttons off the screen": buttonsOff,
};

it.each(Object.keys(dialogs).flatMap((name) => Object.keys(texts).map((text) => [name, text] as const)))(
  "the question to %s stays its own where a name %s",
  async (name, which) => {
    await page.viewport(480, 640);
    const text = texts[which as keyof typeof texts];
    await dialogs[name]!(text);
    await expect.element(page.getByRole("dialog")).toBeVisible();
    await document.fonts.ready;
    const dialog = page.getByRole("dialog").element();
    // Boxes that scroll know it a frame after they were drawn.
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
    const found = Object.entries(problems).flatMap(([problem, find]) =>
      find(dialog, text).map((where) => `${problem}: ${where}`),
    );
    expect(found.slice(0, 6)).toEqual([]);
  },
);
