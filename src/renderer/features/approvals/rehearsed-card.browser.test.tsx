/** A command is rehearsed by a key or a button, and its card says what that found: a yes is for just that. */
import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { RehearsedCommand } from "../../../shared/contract/subjects.ts";
import { armed, openCards, region } from "../../testing/open-cards.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";

const usable = { host: { sandbox: { state: "usable" as const } } };
const command = sampleApproval("c", "make", { width: "workspace", workspace: "/home/ada/shop" });

const found: RehearsedCommand = {
  could: true,
  exitCode: 2,
  output: "built half",
  refused: ["curl: (6) Could not resolve host: example.org"],
  changes: [
    { path: "dist", what: "makes", folder: true },
    { path: "dist/x\u202egpj.exe", what: "makes", folder: false, lines: { added: 3, removed: 0 } },
    { path: "run.sh", what: "permissions", folder: false },
  ],
};

const withFound = (rehearsed: RehearsedCommand) => ({
  ...command,
  digest: "rehearsed",
  subject: { kind: "command" as const, command: "make", cwd: "/home/ada/shop", rehearsed },
});

it("shows what a rehearsal found, each name as it is, and sends a yes for that alone", async () => {
  const host = openConsole(
    { threads: [sampleThread("t1", { waiting: 1 })], approvals: [command], ...usable },
    {
      "approvals.rehearse": () => ({ ok: true, approval: withFound(found) }),
      "approvals.rehearsedDiff": ({ path }) => ({
        diff: { path, before: null, after: "one\ntwo\nthree\n", tooLarge: false },
      }),
    },
  );
  await armed();
  await userEvent.keyboard("h");
  await expect.element(region.getByText(/^Rehearsed: it ended with exit code 2/)).toBeVisible();
  expect(host.inputsOf("approvals.rehearse")).toEqual([{ id: "c", digest: command.digest, rehearsed: true }]);
  await expect.element(region.getByText("It would change 3 places:")).toBeVisible();
  await expect.element(region.getByText(/^makes the folder dist$/)).toBeVisible();
  await expect.element(region.getByText(/^changes the permissions of run\.sh$/)).toBeVisible();
  await expect.element(region.getByRole("img", { name: "U+202E right-to-left override" })).toBeVisible();
  await expect.element(region.getByText(/^It tried to reach/)).toBeVisible();
  await expect.element(region.getByText("built half")).toBeVisible();
  const difference = region.getByRole("figure", { name: /^Diff of dist\/x/ });
  await expect.element(difference).toHaveTextContent(/one.*two.*three/);
  expect(host.inputsOf("approvals.rehearsedDiff")).toEqual([
    { id: "c", digest: "rehearsed", path: "dist/x\u202egpj.exe" },
  ]);
  await region.getByRole("button", { name: "Hide the difference" }).click();
  expect(difference.query()).toBeNull();
  expect(region.getByText(/^Confined:/).query()).toBeNull();
  await region.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Run it for real instead" }).click();
  expect(host.inputsOf("approvals.rehearse").at(-1)).toEqual({
    id: "c",
    digest: "rehearsed",
    rehearsed: false,
  });
});

it("opens no difference by itself where there are many lines, and says of one that cannot be shown why", async () => {
  const many = { path: "long", what: "changes" as const, folder: false, lines: { added: 61, removed: 0 } };
  const host = openConsole(
    {
      threads: [sampleThread("t1", { waiting: 1 })],
      approvals: [withFound({ ...found, changes: [many] })],
      ...usable,
    },
    { "approvals.rehearsedDiff": () => ({}) },
  );
  const show = region.getByRole("button", { name: "Show the difference" });
  await expect.element(show).toBeVisible();
  expect(host.inputsOf("approvals.rehearsedDiff")).toEqual([]);
  await show.click();
  await expect.element(region.getByText(/^Its difference cannot be shown/)).toBeVisible();
});

it("says in a sentence why a command cannot be rehearsed, and goes on asking about it", async () => {
  openCards([withFound({ could: false, why: "It makes or changes the link a." })]);
  await expect
    .element(region.getByText("It cannot be rehearsed. It makes or changes the link a."))
    .toBeVisible();
  await expect.element(region.getByText(/^Confined: writes in shop/)).toBeVisible();
});

it("offers none where commands cannot be confined", async () => {
  const host = openConsole({ threads: [sampleThread("t1", { waiting: 1 })], approvals: [command] }, {});
  await armed();
  expect(region.getByRole("button", { name: /^Rehearse/ }).query()).toBeNull();
  await userEvent.keyboard("h");
  await expect.element(region.getByText("This is no command that can be rehearsed here.")).toBeVisible();
  expect(host.inputsOf("approvals.rehearse")).toEqual([]);
});
