/** Folders and one's own files are trusted only once all that they say was on the screen. */
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { ContractError } from "../../../shared/contract/errors.ts";
import { openConsole } from "../../testing/open-console.ts";
import { pressToTheEnd } from "../../testing/press-once-read.ts";

const nothing = { threads: [], approvals: [] };

it("takes changes of a trusted folder in only once all of their differences were on the screen", async () => {
  await page.viewport(1000, 500);
  const lines = (word: string) => Array.from({ length: 30 }, (_, at) => `${word} ${at}`).join("\n");
  const diff = (path: string) => ({ path, before: null, after: `${lines(path)}\n`, tooLarge: false });
  const folder = { path: "/home/ada/shop", name: "shop", trusted: true, lastUsedAt: 1 };
  const host = openConsole(
    nothing,
    {
      "workspaces.list": () => ({ workspaces: [{ ...folder, changed: ["AGENTS.md"] }], home: "/home/ada" }),
      "workspaces.review": () => ({
        digest: "d",
        files: [diff("AGENTS.md"), diff(".countersign/rules.json")],
        tooMuch: "These files say more than can be shown: shorten big\u202e.md.",
      }),
      "workspaces.accept": () => ({}),
    },
    "#/settings/workspaces",
  );
  await page.getByRole("searchbox", { name: "Search settings" }).fill("folders");
  await page.getByRole("button", { name: "Look at the changes…" }).click();
  const dialog = page.getByRole("dialog", { name: "What changed in shop" });
  await expect.element(dialog).toHaveTextContent(".countersign/rules.json 29");
  await expect.element(dialog).toHaveTextContent("more than can be shown: shorten big");
  const accept = dialog.getByRole("button", { name: "Accept the changes" });
  await expect.element(accept).toHaveAttribute("data-locked");
  await accept.click();
  expect(host.inputsOf("workspaces.accept")).toEqual([]);
  await pressToTheEnd(accept);
  expect(host.inputsOf("workspaces.accept")[0]).toEqual({ path: folder.path, digest: "d" });
});

it("trusts a folder only once all that it says was on the screen, and one that says nothing at once", async () => {
  await page.viewport(1000, 500);
  const lines = `${Array.from({ length: 30 }, (_, at) => `Rule ${at}`).join("\n")}\n`;
  const diff = (path: string) => ({ path, before: null, after: lines, tooLarge: false });
  const folder = (name: string) => ({ path: `/home/ada/${name}`, name, trusted: false, lastUsedAt: 1 });
  let digest = "first";
  const host = openConsole(
    nothing,
    {
      "workspaces.list": () => ({ workspaces: [folder("shop"), folder("bare")], home: "/home/ada" }),
      "workspaces.review": ({ path }) => ({
        digest: path.endsWith("bare") ? "empty" : digest,
        files: path.endsWith("bare") ? [] : [diff("AGENTS.md"), diff(".agents/skills/ship/SKILL.md")],
      }),
      "workspaces.setTrust": (input) => {
        if (input.trusted && input.digest === "first") {
          digest = "second";
          throw new ContractError("conflict", "The folder changed meanwhile. Look at what it says now.");
        }
        return { ...folder("shop"), trusted: input.trusted };
      },
    },
    "#/settings/workspaces",
  );
  const asked = () => host.inputsOf("workspaces.setTrust");
  await page.getByRole("searchbox", { name: "Search settings" }).fill("folders");
  await page.getByRole("switch", { name: "Trust bare" }).click();
  await expect.poll(asked).toEqual([{ path: "/home/ada/bare", trusted: true, digest: "empty" }]);

  const shop = page.getByRole("switch", { name: "Trust shop" });
  await shop.click();
  const dialog = page.getByRole("dialog", { name: "Trust shop?" });
  await expect.element(dialog).toHaveTextContent(`AGENTS.md · ${lines.length} bytes`);
  await expect.element(dialog).toHaveTextContent(".agents/skills/ship/SKILL.md");
  await dialog.getByRole("button", { name: "Not now" }).click();
  await expect.element(shop).not.toBeChecked();
  expect(asked()).toHaveLength(1);

  await shop.click();
  const yes = dialog.getByRole("button", { name: "Trust the folder" });
  await expect.element(yes).toHaveAttribute("data-locked");
  await yes.click();
  expect(asked()).toHaveLength(1);
  // The first yes finds the folder changed: what it says now has to be looked at from its beginning.
  await pressToTheEnd(yes);
  const digests = asked().map((input) => input.trusted && input.digest);
  expect([...new Set(digests)]).toEqual(["empty", "first", "second"]);
  await expect.element(shop).toBeChecked();
});

it("trusts one's own instructions and commands once all that they say was on the screen", async () => {
  await page.viewport(1000, 700);
  const own = { path: "~", name: "~", lastUsedAt: 0, trusted: false };
  let changed: string[] = [];
  const host = openConsole(
    nothing,
    {
      "workspaces.list": () => ({
        workspaces: [],
        home: "/home/ada",
        own: changed.length > 0 ? { ...own, trusted: true, changed } : own,
      }),
      "workspaces.review": () => ({
        digest: "d",
        files: [{ path: ".agents/AGENTS.md", before: null, after: "Be brief.\n", tooLarge: false }],
      }),
      "workspaces.setTrust": () => {
        changed = [".claude/CLAUDE.md"];
        return { ...own, trusted: true };
      },
    },
    "#/settings/workspaces",
  );
  await page.getByRole("searchbox", { name: "Search settings" }).fill("folders");
  await page.getByRole("switch", { name: "Trust your own instructions and commands" }).click();
  const dialog = page.getByRole("dialog", { name: "Trust your own instructions and commands?" });
  await expect.element(dialog).toHaveTextContent("Be brief.");
  await pressToTheEnd(dialog.getByRole("button", { name: "Trust these files" }));
  expect(host.inputsOf("workspaces.setTrust")[0]).toEqual({ path: "~", trusted: true, digest: "d" });
  await expect.element(page.getByText(/^Changed since you trusted it: ~\/.claude\/CLAUDE.md/)).toBeVisible();
});
