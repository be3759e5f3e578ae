/** The switch and the question before it, in a real browser over a scripted host. */
import { describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import type { Output } from "../../../shared/contract/contract.ts";
import { openConsole } from "../../testing/open-console.ts";
import { pressOnceRead, pressToTheEnd } from "../../testing/press-once-read.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";
import { useAutoApproveQuestion } from "./auto-approve.ts";

describe("auto-approve", () => {
  const lease = { startedAt: 1, expiresAt: Date.now() + 600_000, maxActions: 50, used: 0 };

  it("goes on at once when nothing waits, and stays visible", async () => {
    openConsole(
      { threads: [sampleThread("t1")], approvals: [] },
      { "threads.setAutoApprove": () => ({ autoApprove: lease, approved: [], left: [] }) },
      "#/thread/t1",
    );
    const control = page.getByRole("switch", { name: "Auto-approve" });
    await control.click();
    await expect.element(control).toBeChecked();
    await expect.element(page.getByText("0 of 50 used")).toBeVisible();
    await expect.element(page.getByText("Auto-approve on in 1 thread")).toBeVisible();
  });

  const waiting = [
    sampleApproval("a", "npm test"),
    sampleApproval("b", "npm publish", { risk: "high", requestedAt: 2, agentPath: ["releaser"] }),
  ];
  const preview: Output<"threads.previewAutoApprove"> = {
    passes: [{ id: waiting[0]!.id, digest: waiting[0]!.digest }],
    stays: [{ id: waiting[1]!.id, why: "publishing is always asked" }],
  };
  const dialog = page.getByRole("dialog", { name: "Turn on auto-approve?" });

  async function ask(answers: Parameters<typeof openConsole>[1] = {}) {
    useAutoApproveQuestion.setState({ threadId: undefined });
    const host = openConsole(
      { threads: [sampleThread("t1", { waiting: 2 })], approvals: waiting },
      {
        "threads.previewAutoApprove": () => preview,
        "threads.setAutoApprove": ({ approve = [] }) => ({
          autoApprove: lease,
          approved: approve.map(({ id }) => id) as never,
          left: [],
        }),
        ...answers,
      },
    );
    await page.getByRole("button", { name: "More", exact: true }).first().click();
    await page.getByRole("menuitem", { name: "Auto-approve this thread…" }).click();
    return host;
  }

  it("says first what it would do to each that already waits, and approves exactly what it said", async () => {
    const host = await ask();
    await expect
      .element(dialog.getByRole("region", { name: "1 that waits is approved at once" }))
      .toHaveTextContent("npm test");
    const stays = dialog.getByRole("region", { name: "1 goes on waiting for you" });
    await expect.element(stays).toHaveTextContent("npm publishreleaserpublishing is always asked");
    expect(host.inputsOf("threads.setAutoApprove")).toEqual([]);
    await pressOnceRead(dialog.getByRole("button", { name: "Turn on and approve 1" }));
    await vi.waitFor(() =>
      expect(host.inputsOf("threads.setAutoApprove")).toMatchObject([
        { on: true, approve: [{ id: "a", digest: "digest-a" }] },
      ]),
    );
  });

  it("leaves alone what waits when it is turned on only from now on", async () => {
    const host = await ask();
    await page.getByRole("button", { name: "Only from now on" }).click();
    await vi.waitFor(() =>
      expect(host.inputsOf("threads.setAutoApprove")).toMatchObject([{ on: true, approve: [] }]),
    );
  });

  it("says when what waits changed meanwhile, and then confirms neither the changed nor the new one", async () => {
    const host = await ask();
    await expect.element(dialog.getByRole("button", { name: "Turn on and approve 1" })).toBeVisible();
    host.push("console.watch", {
      kind: "changes",
      seq: 2,
      threads: [],
      removedThreads: [],
      approvals: [{ ...waiting[0]!, digest: "another" }, sampleApproval("new", "npm run build")],
      removedApprovals: [],
    });
    await expect.element(dialog).toHaveTextContent("What waits has changed since.");
    await expect.element(dialog.getByRole("button", { name: "Turn on", exact: true })).toBeDisabled();
    const asked = host.inputsOf("threads.previewAutoApprove").length;
    await dialog.getByRole("button", { name: "Look again" }).click();
    await vi.waitFor(() => expect(host.inputsOf("threads.previewAutoApprove").length).toBeGreaterThan(asked));
  });

  it("lets through only what was on the screen: a long list to its end, no file and no shortened command unseen", async () => {
    await page.viewport(1280, 420);
    const file = { kind: "file", operation: "write", path: "a.ts", added: 300, removed: 0, stale: false };
    const many = [
      ...Array.from({ length: 30 }, (_, at) =>
        sampleApproval(`m${at}`, `make part-${at}`, { requestedAt: at }),
      ),
      sampleApproval("file", "", { tool: "write_file", subject: file, requestedAt: 40 }),
      sampleApproval("short", "make … left out …", { leftOut: 90_000, requestedAt: 41 }),
    ];
    const passes = many.map(({ id, digest }) => ({ id, digest: id === "short" ? "the whole" : digest }));
    const host = openConsole(
      { threads: [sampleThread("t1", { waiting: many.length })], approvals: many },
      {
        "threads.previewAutoApprove": () => ({
          passes: passes as Output<"threads.previewAutoApprove">["passes"],
          stays: [],
        }),
        "threads.setAutoApprove": () => ({ autoApprove: lease, approved: [], left: [] }),
      },
    );
    useAutoApproveQuestion.setState({ threadId: many[0]?.threadId });
    const stays = dialog.getByRole("region", { name: "2 go on waiting for you" });
    await expect.element(stays).toHaveTextContent("a.ts");
    await expect.element(stays).toHaveTextContent("make … left out …");
    await expect.element(dialog.getByText("What waits has changed")).not.toBeInTheDocument();
    const go = dialog.getByRole("button", { name: "Turn on and approve 30" });
    await go.click();
    expect(host.inputsOf("threads.setAutoApprove")).toEqual([]);
    await pressToTheEnd(go);
    expect(host.inputsOf("threads.setAutoApprove")[0]?.approve).toHaveLength(30);
  });

  it("names what the host did not let through after all", async () => {
    await ask({
      "threads.setAutoApprove": () => ({
        autoApprove: lease,
        approved: [],
        left: [{ id: waiting[0]!.id, why: "The file changed since this was shown." }],
      }),
    });
    await pressOnceRead(dialog.getByRole("button", { name: "Turn on and approve 1" }));
    const messages = page.getByRole("region", { name: "Notifications" });
    await expect
      .element(messages)
      .toHaveTextContent("1 was not approved, since it is not what you sawThe file changed since");
  });
});
