/** The answers a question offers: each by a press or a key, and none before the card was on the screen to its end. */
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { armed } from "../../testing/open-cards.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";

const regions = [{ answer: "eu-west-1", about: "Near the orders" }, { answer: "us-east-1" }];
const answers = page.getByRole("group", { name: "Answers it offers" });
const answer = (name: string) => answers.getByRole("button", { name });

function ask(
  id: string,
  question: string,
  choices: unknown = regions,
  change: Partial<Approval> = {},
): Approval {
  return sampleApproval(id, "", {
    kind: "interrupt",
    subject: { kind: "question", question, wants: "text", choices },
    allowedDecisions: ["respond"],
    requestedAt: 1,
    ...change,
  });
}

function open(...approvals: Approval[]) {
  return openConsole(
    { threads: [sampleThread("t1", { waiting: approvals.length })], approvals },
    {
      "approvals.decide": ({ items, decision }) => ({
        outcomes: items.map(({ id }) => ({
          ok: true,
          approval: { ...approvals.find((one) => one.id === id)!, status: "decided", decision },
        })),
      }),
    },
  );
}

describe("an answer that a question offers", () => {
  it("stands on the card of a program of others too, with what became of who asked", async () => {
    const description = "The agent no longer waits for this.";
    const host = open(ask("q", "Which region?", regions, { kind: "tool", description }));
    await expect.element(page.getByText(description)).toBeVisible();
    await answer("us-east-1").click();
    await vi.waitFor(() =>
      expect(host.inputsOf("approvals.decide")).toMatchObject([
        { decision: { type: "respond", answer: "us-east-1" } },
      ]),
    );
  });

  it("is no button where only a yes or a no counts", async () => {
    open(ask("q", "Which region?", regions, { kind: "tool", allowedDecisions: ["approve", "reject"] }));
    await expect.element(page.getByRole("button", { name: "Approve" })).toBeVisible();
    expect(answers.elements()).toEqual([]);
  });

  it("is sent just as it stands on its button", async () => {
    const host = open(ask("q", "Which region?", [{ answer: " eu  west\u200B " }, { answer: "us" }]));
    await answers.getByRole("button").first().click();
    await vi.waitFor(() =>
      expect(host.inputsOf("approvals.decide")).toMatchObject([
        { items: [{ id: "q" }], decision: { type: "respond", answer: " eu  west\u200B " } },
      ]),
    );
  });

  it("is gone to by its number, and sent by Enter alone", async () => {
    const host = open(ask("q", "Which region?"));
    await expect.element(answer("us-east-1")).toBeVisible();
    await expect.element(page.getByRole("row", { name: /^question, Answer/ })).toBeVisible();
    await armed();
    await userEvent.keyboard("2");
    await expect.element(answer("us-east-1")).toHaveFocus();
    expect(host.inputsOf("approvals.decide")).toEqual([]);
    await userEvent.keyboard("1");
    await expect.element(answer("eu-west-1")).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await vi.waitFor(() =>
      expect(host.inputsOf("approvals.decide")).toMatchObject([
        { decision: { type: "respond", answer: "eu-west-1" } },
      ]),
    );
  });

  it("keeps all digits to itself, and leaves them to the card that follows", async () => {
    const host = open(ask("q", "Which region?"), sampleApproval("a", "npm test", { requestedAt: 2 }));
    await expect.element(answer("us-east-1")).toBeVisible();
    await armed();
    // On other cards it turns auto-approve on.
    await userEvent.keyboard("3");
    await userEvent.keyboard("j");
    await expect.element(page.getByRole("article", { name: "npm test" })).toBeVisible();
    expect(page.getByRole("dialog").query()).toBeNull();
    await armed();
    await userEvent.keyboard("1");
    await vi.waitFor(() =>
      expect(host.inputsOf("approvals.decide")).toMatchObject([{ items: [{ id: "a" }] }]),
    );
  });

  it("is not sent before the question was on the screen to its end", async () => {
    const long = Array.from({ length: 55 }, (_, at) => `Line ${at} of the question`).join("\n");
    const host = open(ask("q", long));
    // As a program presses it, wherever it stands: a person could not reach it without scrolling there.
    const [first] = await vi.waitFor(() => {
      const buttons = answers.getByRole("button", { includeHidden: true }).elements();
      expect(buttons).toHaveLength(2);
      return buttons;
    });
    (first as HTMLElement).click();
    await expect
      .element(page.getByText("Not all of it was on the screen yet", { exact: false }))
      .toBeVisible();
    expect(host.inputsOf("approvals.decide")).toEqual([]);
  });

  it("does not send what is half written in the field below", async () => {
    const host = open(ask("q", "Which region?"));
    await page.getByRole("textbox", { name: "Answer" }).fill("rather none");
    await answer("us-east-1").click();
    await vi.waitFor(() =>
      expect(host.inputsOf("approvals.decide")).toMatchObject([{ decision: { answer: "us-east-1" } }]),
    );
  });
});

it("shows each field of a form with what may stand in it, and sends an object", async () => {
  const fields = [
    { name: "count", title: "How many", kind: "number", whole: true, most: 9, required: true },
    { name: "where", kind: "one", options: [{ value: "eu", title: "Europe" }], required: false },
  ];
  const subject = { kind: "question", question: "Set it up?", wants: "json", fields } as never;
  const host = open(
    ask("q", "", undefined, { kind: "tool", subject, allowedDecisions: ["respond", "reject"] }),
  );
  await expect.element(page.getByText("required, whole number, at most 9")).toBeVisible();
  await expect.element(page.getByText('may be left out, one of "eu" (Europe)')).toBeVisible();
  await armed();
  await page.getByRole("textbox", { name: "Answer" }).fill('{"count": 3}');
  await armed();
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await vi.waitFor(() =>
    expect(host.inputsOf("approvals.decide")).toMatchObject([
      { decision: { type: "respond", answer: { count: 3 } } },
    ]),
  );
});
