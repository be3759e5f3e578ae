/** The queue as a person uses it, by mouse and by key, in a real browser over a scripted host. */
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { armed, cardOf, region } from "../../testing/open-cards.ts";
import { button, graceMs, openQueue, rowOf, two } from "../../testing/open-queue.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";

/** Longer than any test: no Undo may go away under it. */

describe("deciding by mouse", () => {
  it("shows the exact command, thread and agent of each request, with only the allowed decisions", async () => {
    openQueue([
      sampleApproval("a", "npm  test", {
        agentPath: ["researcher", "shell"],
        allowedDecisions: ["approve", "reject"],
      }),
    ]);
    await expect.element(cardOf("npm").getByRole("code").first()).toHaveProperty("textContent", "npm  test");
    await expect.element(cardOf("npm")).toHaveTextContent("Thread t1");
    await expect.element(cardOf("npm")).toHaveTextContent("researcher › shell");
    await expect.element(button("npm", "Approve")).toBeVisible();
    await expect.element(button("npm", "Edit")).not.toBeInTheDocument();
  });

  it("approves at once with one click, bound to what was shown, and can be taken back", async () => {
    const host = openQueue(two());
    await button("npm test", "Approve").click();
    await expect.element(cardOf("npm test")).not.toBeInTheDocument();
    expect(host.inputsOf("approvals.decide")).toMatchObject([
      { items: [{ id: "a", digest: "digest-a" }], decision: { type: "approve" }, graceMs },
    ]);
    await page.getByRole("button", { name: "Undo" }).click();
    expect(host.inputsOf("approvals.undo")).toEqual([{ ids: ["a"] }]);
    await expect.element(cardOf("npm test")).toBeVisible();
  });

  it("asks once more before it lets a high risk run, and a double click is not a second thought", async () => {
    const host = openQueue([sampleApproval("a", "rm -rf build", { risk: "high" })]);
    await button("rm", "Approve").dblClick();
    expect(host.inputsOf("approvals.decide")).toEqual([]);
    await expect.element(button("rm", "Approve")).toHaveAttribute("aria-pressed", "true");
    await button("rm", "Approve").click();
    await vi.waitFor(() => expect(host.inputsOf("approvals.decide")).toHaveLength(1));
  });

  it("does not approve the card that moves under the pointer when a person double-clicks", async () => {
    const host = openQueue(two());
    // The pointer rests where the test before left it, which may be over this very button.
    await cardOf("npm test").hover();
    await button("npm test", "Approve").dblClick();
    await vi.waitFor(() => expect(host.inputsOf("approvals.decide")).toHaveLength(1));
    await armed();
    expect(host.inputsOf("approvals.decide")).toMatchObject([{ items: [{ id: "a" }] }]);
  });

  it("approves the changed command when the editor is open", async () => {
    const host = openQueue([sampleApproval("a", "npm test")]);
    await button("npm test", "Edit").click();
    await page.getByRole("textbox", { name: "Command" }).fill("npm test -- --run");
    await button("npm test", "Approve").click();
    await vi.waitFor(() =>
      expect(host.inputsOf("approvals.decide")).toMatchObject([
        { decision: { type: "edit", args: { command: "npm test -- --run", timeout: 5 } } },
      ]),
    );
  });

  it("answers a question with the person's words", async () => {
    const question = sampleApproval("q", "", {
      kind: "interrupt",
      subject: { kind: "question", question: "Which registry?", wants: "text" },
      allowedDecisions: ["respond"],
    });
    const host = openQueue([question]);
    await page.getByRole("textbox", { name: "Answer" }).fill("the internal one");
    // The pointer rests where the test before left it, which may be over this very button.
    await page.getByRole("textbox", { name: "Answer" }).hover();
    await button("Which registry?", "Answer").click();
    await vi.waitFor(() =>
      expect(host.inputsOf("approvals.decide")).toMatchObject([
        { decision: { type: "respond", answer: "the internal one" } },
      ]),
    );
  });

  it("sends no reason and no answer that was written in a field and closed again", async () => {
    const host = openQueue(two());
    await button("npm test", "Say why").click();
    await page.getByRole("textbox", { name: "Reason" }).fill("wrong branch");
    await button("npm test", "Cancel").click();
    await button("npm test", "Reject").click();
    await button("npm run build", "Answer").click();
    await page.getByRole("textbox", { name: "Answer" }).fill("done by hand");
    await button("npm run build", "Cancel").click();
    await button("npm run build", "Answer").click();
    await expect.element(page.getByRole("textbox", { name: "Answer" })).toHaveValue("done by hand");
    expect(host.inputsOf("approvals.decide").map(({ decision }) => decision)).toEqual([{ type: "reject" }]);
  });

  it("shows a run of spaces as the room it takes and not as a line end", async () => {
    openQueue([sampleApproval("a", `echo one${" ".repeat(3_000)}; touch two`)]);
    const shown = cardOf("echo one").getByRole("code").first();
    await expect.element(shown).toBeVisible();
    const code = shown.element();
    const lineHeight = Number.parseFloat(getComputedStyle(code).lineHeight);
    expect(code.getBoundingClientRect().height).toBeGreaterThan(5 * lineHeight);
  });

  it("does not let a stale file change be approved", async () => {
    const file = { kind: "file", operation: "edit", path: "a.ts", added: 1, removed: 1, stale: true };
    openQueue([sampleApproval("f", "", { tool: "edit_file", subject: file })]);
    await expect.element(button("a.ts", "Approve")).toBeDisabled();
    await expect.element(cardOf("a.ts")).toHaveTextContent("The file changed");
  });

  it("maps the buttons of an unknown outcome to decisions", async () => {
    const recovery = sampleApproval("r", "", {
      kind: "recovery",
      subject: {
        kind: "recovery",
        what: "npm publish",
        startedAt: 1,
        output: "publishing",
        executionId: "x",
      },
      allowedDecisions: ["approve", "respond", "reject"],
    });
    const host = openQueue([recovery]);
    await button("npm publish", "Mark as done").click();
    await vi.waitFor(() =>
      expect(host.inputsOf("approvals.decide")).toMatchObject([
        { decision: { type: "respond", answer: null } },
      ]),
    );
  });

  it("says on the card why a decision was refused, and keeps the card", async () => {
    const approvals = two();
    openQueue(approvals, {
      "approvals.decide": () => ({
        outcomes: [{ ok: false, reason: "The workspace is read-only.", approval: approvals[0] }],
      }),
    });
    await button("npm test", "Approve").click();
    await expect.element(cardOf("npm test")).toHaveTextContent("The workspace is read-only.");
  });
});

describe("in a thread and in its own view", () => {
  const views = page.getByRole("navigation", { name: "Views" });

  it("takes keys as soon as it is opened from a thread", async () => {
    await page.viewport(1280, 800);
    const host = openQueue(two());
    await cardOf("npm test").getByRole("button", { name: "Thread t1" }).click();
    await expect.element(page.getByRole("textbox", { name: "Message" })).toBeVisible();
    await views.getByRole("button", { name: /^Approvals/ }).click();
    await expect.element(page.getByRole("main").getByRole("region", { name: "Approvals" })).toBeVisible();
    await userEvent.keyboard("j");
    await expect.element(cardOf("npm run build")).toHaveFocus();
    await armed();
    await userEvent.keyboard("y");
    await vi.waitFor(() =>
      expect(host.inputsOf("approvals.decide")).toMatchObject([{ items: [{ id: "b" }] }]),
    );
  });

  it("has its decisions on one line in a thread", async () => {
    await page.viewport(1280, 800);
    openQueue(two());
    await cardOf("npm test").getByRole("button", { name: "Thread t1" }).click();
    const top = (name: string) => button("npm test", name).element().getBoundingClientRect().top;
    await expect.element(page.getByRole("textbox", { name: "Message" })).toBeVisible();
    expect(top("More")).toBeCloseTo(top("Approve"), 0);
  });
});

describe("what arrives", () => {
  it("appears without moving the focus, counts in the title, and goes when decided elsewhere", async () => {
    const host = openQueue(two());
    await cardOf("npm test").click();
    const late = sampleApproval("late", "npm audit");
    const changes = { seq: 2, threads: [], removedThreads: [], removedApprovals: [] };
    host.push("console.watch", { kind: "changes", ...changes, approvals: [late] });
    await expect.element(rowOf("npm audit")).toBeVisible();
    expect(document.activeElement?.getAttribute("data-approval")).toBe("a");
    expect(document.title).toBe("(3) Countersign");
    host.push("console.watch", {
      kind: "changes",
      ...changes,
      seq: 3,
      approvals: [{ ...late, status: "decided" }],
    });
    await expect.element(rowOf("npm audit")).not.toBeInTheDocument();
    expect(document.title).toBe("(2) Countersign");
  });

  it("names a request by the title that its thread has now", async () => {
    const host = openQueue(two());
    await expect.element(cardOf("npm test").getByRole("button", { name: "Thread t1" })).toBeVisible();
    const threads = [sampleThread("t1", { waiting: 2, title: "Tidy the build" })];
    const changes = { removedThreads: [], approvals: [], removedApprovals: [] };
    host.push("console.watch", { kind: "changes", seq: 2, ...changes, threads });
    await expect.element(cardOf("npm test").getByRole("button", { name: "Tidy the build" })).toBeVisible();
    await expect.element(rowOf("npm test")).toHaveTextContent("Tidy the build");
  });

  it("holds new ones back above what a person is looking at until they are asked for", async () => {
    const host = openQueue(two());
    await page.getByRole("button", { name: "Order: Oldest first" }).click();
    await page.getByRole("menuitemradio", { name: "Urgent first" }).click();
    await cardOf("npm test").click();
    const red = sampleApproval("red", "rm -rf build", { risk: "high" });
    host.push("console.watch", {
      kind: "changes",
      seq: 2,
      threads: [],
      removedThreads: [],
      approvals: [red],
      removedApprovals: [],
    });
    const pill = page.getByRole("button", { name: "1 new ↑" });
    await expect.element(pill).toBeVisible();
    await pill.click();
    await expect.element(region.getByRole("row").first()).toHaveTextContent("rm -rf build");
  });

  it("keeps the page small with ten thousand waiting", async () => {
    openQueue(
      Array.from({ length: 10_000 }, (_, index) =>
        sampleApproval(`m${index}`, `npm test ${index}`, { requestedAt: index }),
      ),
    );
    await expect.element(cardOf("npm test 0").first()).toBeVisible();
    expect(document.querySelectorAll("*").length).toBeLessThan(2_000);
    await expect.element(region.getByRole("grid")).toHaveAttribute("aria-rowcount", "10000");
  });
});
