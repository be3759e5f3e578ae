/** The settings as a person uses them, in a real browser over a scripted host. */
import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { defaultSettings } from "../../../shared/contract/console.ts";
import { ContractError } from "../../../shared/contract/errors.ts";
import { openConsole } from "../../testing/open-console.ts";
import { pressToTheEnd } from "../../testing/press-once-read.ts";

const update = (change: object) => ({ ...defaultSettings, ...change });
const nothing = { threads: [], approvals: [] };

it("finds a setting by a word of its description and saves a number when the field is left", async () => {
  const host = openConsole(nothing, { "settings.update": update }, "#/settings");
  await page.getByRole("searchbox", { name: "Search settings" }).fill("taken back");
  const field = page.getByRole("textbox", { name: "Time to take back" });
  await field.fill("5");
  expect(host.inputsOf("settings.update")).toEqual([]);
  await userEvent.tab();
  await expect.poll(() => host.inputsOf("settings.update")).toEqual([{ undoGraceMs: 5_000 }]);
});

it("refuses a number outside the limits and says which are allowed", async () => {
  const host = openConsole(nothing, { "settings.update": update }, "#/settings/running");
  const field = page.getByRole("textbox", { name: "Agents at work at once" });
  await field.fill("40");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByRole("alert")).toHaveTextContent("Enter a whole number from 1 to 32.");
  expect(host.inputsOf("settings.update")).toEqual([]);
});

it.each([
  [{ state: "usable" as const }, /^Confined: nothing that was tried gets out/],
  [
    { state: "unusable" as const, why: "bubblewrap is not installed. Install it with …" },
    "Not available, because bubblewrap is not installed. Install it with …",
  ],
])("tells whether commands can be confined here, and why not: %o", async (sandbox, said) => {
  const host = openConsole(
    { ...nothing, host: { sandbox } },
    { "settings.update": update },
    "#/settings/running",
  );
  await expect.element(page.getByText(said)).toBeVisible();
  await page.getByRole("combobox", { name: "Confined commands" }).selectOptions("require");
  await expect.poll(() => host.inputsOf("settings.update")).toEqual([{ sandbox: "require" }]);
});

it("keeps folders to write in by whole lines, and a line that was refused in the field", async () => {
  const refuse = () => {
    throw new ContractError("invalid-input", "There is no folder /b.", { field: "writableFolders" });
  };
  const host = openConsole(nothing, { "settings.update": refuse }, "#/settings/running");
  const field = page.getByRole("textbox", { name: "More folders to write in" });
  await field.click();
  await field.fill(" /a \n\n/b\n/a\n");
  await userEvent.tab();
  await expect.poll(() => host.inputsOf("settings.update").length).toBe(1);
  expect(host.inputsOf("settings.update")).toEqual([{ writableFolders: ["/a", "/b"] }]);
  await expect.element(field).toHaveValue(" /a \n\n/b\n/a\n");
});

it("names the field of a settings file that is wrong, and shows what a good one changes before it does", async () => {
  const host = openConsole(nothing, { "settings.update": update }, "#/settings/data");
  await expect.element(page.getByRole("button", { name: "Read settings from a file…" })).toBeVisible();
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')!;
  const give = (text: string) => userEvent.upload(input, new File([text], "settings.json"));

  await give(JSON.stringify({ fontSize: 99, theem: "dark" }));
  await expect.element(page.getByRole("alert")).toHaveTextContent("fontSize");
  await expect.element(page.getByRole("alert")).toHaveTextContent("theem");

  await give(
    JSON.stringify({ ...defaultSettings, firstRunDone: undefined, confinedOffer: undefined, theme: "dark" }),
  );
  const dialog = page.getByRole("dialog", { name: "Use these settings?" });
  await expect.element(dialog).toHaveTextContent('theme: "dark"');
  expect(host.inputsOf("settings.update")).toEqual([]);
  await dialog.getByRole("button", { name: "Use them" }).click();
  await expect.poll(() => host.inputsOf("settings.update")).toEqual([{ theme: "dark" }]);
});

it("shows a choice at once and takes it back when it could not be saved", async () => {
  const answer = Promise.withResolvers<typeof defaultSettings>();
  openConsole(nothing, { "settings.update": () => answer.promise }, "#/settings/appearance");
  const dark = page.getByRole("radio", { name: "Dark" });
  await dark.click();
  await expect.element(dark).toBeChecked();
  answer.reject(new Error("The disk is full."));
  await expect.element(dark).not.toBeChecked();
  await expect.element(page.getByText("The disk is full.").first()).toBeInTheDocument();
});

it("says at the choice for uncovered commands what it would have meant, and why it cannot be made here", async () => {
  const answer = { decided: 200, wouldRun: 131, samples: ["python x.py", "make"], rejected: ["make"] };
  const choice = page.getByRole("combobox", { name: "Commands that no rule covers" });
  const host = openConsole(
    nothing,
    { "rules.previewConfined": () => ({ ...answer, unavailable: "there is no sandbox" }) },
    "#/settings/deciding",
  );
  await expect
    .element(page.getByText("131 of your last 200 decisions about commands would have run confined."))
    .toBeVisible();
  await expect
    .element(page.getByText("Cannot be turned on here, because there is no sandbox."))
    .toBeVisible();
  await expect.element(page.getByText(/The price: such a program can still change or delete/)).toBeVisible();
  await expect.element(page.getByText("You rejected this one of them:")).toBeVisible();
  await expect.element(choice.getByRole("option", { name: "Run confined" })).toBeDisabled();
  expect(host.inputsOf("settings.update")).toEqual([]);
});

it("lets uncovered commands run confined where that can be relied on", async () => {
  const answer = { decided: 1, wouldRun: 1, samples: ["make"], rejected: [] };
  const host = openConsole(
    nothing,
    { "rules.previewConfined": () => answer, "settings.update": update },
    "#/settings/deciding",
  );
  await expect.element(page.getByText("1 of your last decision about commands")).toBeVisible();
  await page.getByRole("combobox", { name: "Commands that no rule covers" }).selectOptions("Run confined");
  await expect.poll(() => host.inputsOf("settings.update")).toEqual([{ uncoveredCommands: "confined" }]);
});

it("offers beside a trusted folder to let commands run confined, with the person's figures, until they do not want it", async () => {
  const figures = { decided: 40, wouldRun: 12, samples: ["make"], rejected: ["make"] };
  let isDeclined = false;
  const folder = { path: "/home/ada/shop", name: "shop", trusted: true, lastUsedAt: 1 };
  const host = openConsole(
    nothing,
    {
      "workspaces.list": () => ({ workspaces: [folder], home: "/home/ada" }),
      "rules.offerConfined": () => (isDeclined ? {} : { offer: figures }),
      "rules.declineConfined": () => {
        isDeclined = true;
        return {};
      },
    },
    "#/settings/workspaces",
  );
  const offer = page.getByRole("region", { name: "Commands could run confined" });
  await expect
    .element(offer)
    .toHaveTextContent("12 of your last 40 decisions about commands would have run confined.");
  await expect.element(offer).toHaveTextContent("You rejected some of them");
  await expect.element(offer.getByRole("button", { name: "Look at them and choose…" })).toBeVisible();
  await offer.getByRole("button", { name: "Not now" }).click();
  await expect.element(offer).not.toBeInTheDocument();
  expect(host.inputsOf("rules.declineConfined")).toEqual([{}]);
  expect(host.inputsOf("settings.update")).toEqual([]);
});

it("says so at the switch for notifications when the system shows none", async () => {
  openConsole(
    { ...nothing, host: { mode: "electron", notificationsFail: true } },
    {},
    "#/settings/attention",
  );
  await expect.element(page.getByText(/This system shows no notifications of Countersign/)).toBeVisible();
});

it("takes settings from a file only once every change was on the screen", async () => {
  await page.viewport(480, 500);
  const host = openConsole(
    nothing,
    { "settings.update": (change) => ({ ...defaultSettings, ...change }) },
    "#/settings/data",
  );
  const url = `http://127.0.0.1:8888/${"search/".repeat(270)}end`;
  const text = JSON.stringify({ webSearch: { provider: "searxng", url }, undoGraceMs: 0 });
  await page.getByLabelText("Settings file").upload(new File([text], "settings.json"));
  const dialog = page.getByRole("dialog", { name: "Use these settings?" });
  const use = dialog.getByRole("button", { name: "Use them" });
  await expect.element(use).toHaveAttribute("data-locked");
  (use.element() as HTMLElement).click();
  await dialog.getByText("Look at the list to its end.").click();
  expect(host.inputsOf("settings.update")).toEqual([]);
  await pressToTheEnd(use);
  expect(host.inputsOf("settings.update")).toMatchObject([{ undoGraceMs: 0 }]);
});

it("shows the command that lets an agent in a terminal ask here, for this data folder, once that is switched on", async () => {
  const host = openConsole(
    { ...nothing, host: { dataDir: "/home/ada's/data", platform: "linux" } },
    { "settings.update": update },
    "#/settings/deciding",
  );
  const toggle = page.getByRole("switch", { name: "Agents in a terminal" });
  const command = page.getByText(/^npm run -s cli -- terminal-agents install claude /);
  await expect.element(toggle).toBeVisible();
  expect(command.elements()).toEqual([]);
  await toggle.click();
  expect(host.inputsOf("settings.update")).toEqual([{ terminalAgents: true }]);
  await expect.element(command).toHaveTextContent(/ --data-dir '\/home\/ada'\\''s\/data'$/);
  await expect.element(page.getByRole("button", { name: "Copy the command for Codex" })).toBeVisible();
});
