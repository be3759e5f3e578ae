/** In a list of many that are decided at once, a call of a server's tool stands there with all its arguments. */
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { ApprovalDetail } from "../../../shared/contract/approvals.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";

const dialog = page.getByRole("dialog");
const tool = { tool: "tracker_close", subject: { kind: "arguments" } };
const calls = [
  sampleApproval("a", "", { ...tool, requestedAt: 1 }),
  sampleApproval("b", "", { ...tool, requestedAt: 2 }),
];
const argsOf: Record<string, ApprovalDetail["args"]> = {
  a: { ticket: "SHOP-1", note: "Approve 2\nlow risk \u202egnp.exe" },
  b: { ticket: "SHOP-2", lines: Array.from({ length: 90 }, (_, at) => `line ${at}`) },
};

describe("a list of calls of a server's tool", () => {
  it("shows what each is given, and is locked until all of that was on the screen", async () => {
    const arrived = Promise.withResolvers<void>();
    const find = (id: string) => calls.find((one) => one.id === id)!;
    const host = openConsole(
      { threads: [sampleThread("t1", { waiting: 2 })], approvals: calls, settings: { undoGraceMs: 0 } },
      {
        "approvals.get": async ({ id }) => {
          await arrived.promise;
          return { approval: find(id), args: argsOf[id] ?? {} };
        },
        "approvals.decide": ({ items }) => ({
          outcomes: items.map(({ id }) => ({ ok: true, approval: find(id) })),
        }),
      },
    );
    const region = page.getByRole("region", { name: "Approvals" });
    await expect.element(region.getByRole("article").first()).toBeVisible();
    await userEvent.keyboard("{Shift>}J{/Shift}{Shift>}N{/Shift}");
    await expect.element(dialog).toHaveTextContent("tracker_close");
    const reject = dialog.getByRole("button", { name: "Reject 2" });
    await expect.element(reject).toHaveAttribute("data-locked");
    arrived.resolve();
    await expect.element(dialog).toHaveTextContent('"ticket": "SHOP-1"');
    await expect.element(dialog).toHaveTextContent('"ticket": "SHOP-2"');
    await expect.element(dialog.getByRole("img", { name: "U+202E right-to-left override" })).toBeVisible();
    expect(dialog.element().textContent).not.toContain("line 89");
    await dialog
      .getByRole("button", { name: /^Show \d+ more/ })
      .last()
      .click();
    await expect.element(dialog).toHaveTextContent("line 89");
    // Each press leads to what was not seen yet; only the last one acts.
    await vi.waitFor(() => {
      (reject.query() as HTMLElement | null)?.click();
      expect(host.inputsOf("approvals.decide")).toHaveLength(1);
    });
    expect(host.inputsOf("approvals.decide")).toMatchObject([{ items: [{ id: "a" }, { id: "b" }] }]);
  });
});

describe("a list of commands", () => {
  it("says of each what its card says besides, and leaves out what was rehearsed", async () => {
    const subject = { kind: "command", command: "make all", cwd: "/home/ada/shop" };
    const rehearsed = { could: true, exitCode: 0, output: "", refused: [], changes: [] };
    const origin = {
      argument: "command",
      start: 5,
      end: 8,
      what: "content",
      text: "all",
      from: "the file a.md",
    };
    const commands = [
      sampleApproval("a", "make one", { requestedAt: 1, width: "outside" }),
      sampleApproval("b", "make two", {
        requestedAt: 2,
        description: "Told \u202eby its agent.",
        origins: [origin],
      }),
      sampleApproval("c", "make all", { requestedAt: 3, subject: { ...subject, rehearsed } }),
    ];
    openConsole({ threads: [sampleThread("t1", { waiting: 3 })], approvals: commands }, {});
    const region = page.getByRole("region", { name: "Approvals" });
    await expect.element(region.getByRole("article").first()).toBeVisible();
    await userEvent.keyboard("{Shift>}JJ{/Shift}{Shift>}Y{/Shift}");
    const list = dialog.getByRole("list", { name: "What is decided" });
    await expect.element(list).toHaveTextContent("Not confined: runs as you");
    await expect.element(list).toHaveTextContent(/Told .*by its agent\./);
    await expect.element(list).toHaveTextContent("the file a.md");
    await expect.element(dialog.getByRole("img", { name: "U+202E right-to-left override" })).toBeVisible();
    await expect
      .element(dialog.getByRole("region", { name: "1 stays" }))
      .toHaveTextContent(/make all.*rehearsed/);
    await expect.element(dialog.getByRole("button", { name: "Approve 2" })).toBeVisible();
  });
});
