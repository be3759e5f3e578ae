/** Rules of other programs in the settings: looked at first, taken by one press, and written in their form. */
import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { ImportedEntry } from "../../../shared/contract/rule-exchange.ts";
import { openConsole } from "../../testing/open-console.ts";
import { pressOnceRead } from "../../testing/press-once-read.ts";

const entries: ImportedEntry[] = [
  {
    entry: "Bash(npm test:*)",
    outcome: "taken",
    rules: [{ text: "npm test", effect: "allow", known: false }],
  },
  {
    entry: "Bash(npm run x*)",
    outcome: "narrowed",
    reason: "Rules here are whole words, without patterns.",
    rules: [{ text: "npm run x", effect: "allow", known: true }],
  },
  { entry: "Bash(bash:*)", outcome: "refused", reason: "It starts other programs.", rules: [] },
];

function open(answers = {}) {
  return openConsole(
    { threads: [], approvals: [] },
    {
      "rules.list": () => ({ rules: [], file: "/home/ada/.countersign/rules.json", problems: [] }),
      "rules.import": ({ digest }: { digest?: string }) => ({
        entries,
        digest: "d1",
        ...(digest && { added: 1 }),
      }),
      "rules.export": () => ({
        text: '{"permissions":{}}\n',
        left: [{ rule: "rm x", reason: "Not there." }],
      }),
      "workspaces.list": () => ({
        workspaces: [{ path: "/home/ada/shop", name: "shop", trusted: false, lastUsedAt: 1 }],
        home: "/home/ada",
      }),
      ...answers,
    },
    "#/settings/rules",
  );
}

it("tells by keyboard what every entry becomes, and takes the rules once the list was read", async () => {
  const host = open();
  const button = page.getByRole("button", { name: "Take over rules…" });
  await expect.element(button).toBeVisible();
  (button.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  const dialog = page.getByRole("dialog", { name: "Take over rules" });
  await dialog.getByRole("combobox", { name: "Where it holds" }).selectOptions("/home/ada/shop");
  await expect.element(dialog.getByRole("button", { name: "Take 0 rules" })).toBeDisabled();
  const file = new File(['{"permissions":{}}'], "settings.json");
  await userEvent.upload(dialog.getByLabelText("Rules of another program"), file);
  await expect.element(dialog.getByRole("status")).toHaveTextContent("1 taken, 1 narrowed, 1 refused.");
  await expect
    .element(dialog.getByRole("list", { name: "Entries of the file" }))
    .toHaveTextContent("It starts other programs.");
  await expect.element(dialog).toHaveTextContent("You have it already.");
  const asked = { from: "claude-code", text: '{"permissions":{}}', workspace: "/home/ada/shop" };
  expect(host.inputsOf("rules.import")).toEqual([asked]);
  await pressOnceRead(dialog.getByRole("button", { name: "Take 1 rule" }));
  await expect.poll(() => host.inputsOf("rules.import")).toEqual([asked, { ...asked, digest: "d1" }]);
  await expect.element(dialog).not.toBeInTheDocument();
});

it("says why a file is not read, and takes nothing of it", async () => {
  open({ "rules.import": () => ({ problem: "The file is nested too deeply.", entries: [], digest: "d" }) });
  await page.getByRole("button", { name: "Take over rules…" }).click();
  const dialog = page.getByRole("dialog", { name: "Take over rules" });
  await userEvent.upload(dialog.getByLabelText("Rules of another program"), new File(["x"], "x.json"));
  await expect.element(dialog.getByRole("alert")).toHaveTextContent("The file is nested too deeply.");
  await userEvent.upload(
    dialog.getByLabelText("Rules of another program"),
    new File(["x".repeat(262_145)], "x.json"),
  );
  await expect.element(dialog.getByRole("alert")).toHaveTextContent("larger than 256 KB");
  await expect.element(dialog.getByRole("button", { name: "Take 0 rules" })).toBeDisabled();
});

it("writes the rules in the form of the chosen program, and names what is left out", async () => {
  const host = open();
  await page.getByRole("button", { name: "Write rules for another program…" }).click();
  const dialog = page.getByRole("dialog", { name: "Write rules for another program" });
  await expect.element(dialog.getByLabelText("The rules as text")).toHaveValue('{"permissions":{}}\n');
  await dialog.getByRole("combobox", { name: "Program" }).selectOptions("Codex");
  await expect.poll(() => host.inputsOf("rules.export").at(-1)).toEqual({ to: "codex" });
  await expect.element(dialog.getByRole("region", { name: "Left out" })).toHaveTextContent("rm x Not there.");
});
