/** The key of the web search: set, told to be set, removed, and never shown; in a real browser over a scripted host. */
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import type { KeyStorage } from "../../../shared/contract/models.ts";
import { openConsole } from "../../testing/open-console.ts";

const key = "tvly-secret";

function openSearch(start?: KeyStorage, answers = {}) {
  let keyStorage = start;
  return openConsole(
    {
      threads: [],
      approvals: [],
      settings: { webSearch: { provider: "tavily" } },
      host: { mode: "electron" },
    },
    {
      "settings.searchKey": () => ({ ...(keyStorage && { keyStorage }) }),
      "settings.setSearchKey": ({ key: given }) => {
        keyStorage = given === null ? undefined : "keychain";
        return {};
      },
      ...answers,
    },
    "#/settings/web",
  );
}

const field = page.getByLabelText("Tavily key");
const save = page.getByRole("button", { name: "Save", exact: true });
const remove = page.getByRole("button", { name: "Remove the key" });

it("is set, emptied from the field, and from then on only told to be there", async () => {
  const host = openSearch();
  await expect.element(page.getByText("No key", { exact: true })).toBeVisible();
  await expect.element(remove).not.toBeInTheDocument();
  await expect.element(save).toBeDisabled();
  await field.fill(` ${key} `);
  await save.click();
  await expect.element(page.getByText("Key set (kept in: the system's keychain)")).toBeVisible();
  await expect.element(field).toHaveValue("");
  expect(host.inputsOf("settings.setSearchKey")).toEqual([{ key }]);
  expect(document.body.innerHTML).not.toContain(key);
});

it("is removed after a question", async () => {
  const host = openSearch("file");
  await remove.click();
  const question = page.getByRole("dialog", { name: "Remove the key of Tavily?" });
  expect(host.inputsOf("settings.setSearchKey")).toEqual([]);
  await question.getByRole("button", { name: "Remove the key" }).click();
  await expect.element(page.getByText("No key", { exact: true })).toBeVisible();
  expect(host.inputsOf("settings.setSearchKey")).toEqual([{ key: null }]);
});

it("cannot be removed here when it comes from the environment, which is said", async () => {
  openSearch("environment");
  await expect.element(page.getByText(/This key comes from the environment/)).toBeVisible();
  await expect.element(remove).not.toBeInTheDocument();
});

it("stays in the field with the reason when it could not be kept", async () => {
  openSearch(undefined, {
    "settings.setSearchKey": () => {
      throw new Error("The disk is full.");
    },
  });
  await field.fill(key);
  await save.click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("The disk is full.");
  await expect.element(field).toHaveValue(key);
});

it("says of a locked key that it is there, and asks the keychain again when told to", async () => {
  openSearch(undefined, {
    "settings.searchKey": () => ({ keyStorage: "locked" }),
  });
  await expect.element(page.getByText("Key locked")).toBeVisible();
  await page.getByRole("button", { name: "Try the keychain again" }).click();
  await expect.element(page.getByText("The keychain did not open the key.")).toBeVisible();
  await expect.element(remove).toBeVisible();
});
