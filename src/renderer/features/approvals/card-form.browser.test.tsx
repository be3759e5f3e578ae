/** What is written in a card is sent only when it was on the screen to its end; so is all that a card of a crash tells. */
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { armed, region } from "../../testing/open-cards.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";
import { isRead } from "../seen/read-gauge.ts";
import { writtenKey } from "./card-form-name.ts";

const button = (name: string) => region.getByRole("button", { name, exact: true });
const command = page.getByRole("textbox", { name: "Command" });
let field = command;
const lines = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => `${word} ${at}`).join("\n");

/** Whether the end of the field stood in the window at each decision. */
const endsInView: boolean[] = [];

function open(approval: Approval) {
  endsInView.length = 0;
  return openConsole(
    { threads: [sampleThread("t1", { waiting: 1 })], approvals: [approval], settings: { undoGraceMs: 0 } },
    {
      "approvals.get": () => ({ approval, args: { command: "make" } }),
      "approvals.decide": ({ decision }) => {
        endsInView.push(isEndInView());
        return { outcomes: [{ ok: true, approval: { ...approval, status: "decided", decision } }] };
      },
    },
  );
}

/** Whether the last line of the field stands in the window. */
function isEndInView(): boolean {
  const bottom = field.query()?.getBoundingClientRect().bottom;
  return bottom !== undefined && bottom <= innerHeight;
}

const written = [
  ["Edit", "Command", (text: string) => ({ type: "edit", args: { command: text } })],
  ["Say why", "Reason", (text: string) => ({ type: "reject", message: text })],
  ["Answer", "Answer", (text: string) => ({ type: "respond", answer: text })],
] as const;

it.each(written)(
  "what is longer than the window is led through to its end before it is sent: %s",
  async (name, label, sent) => {
    await page.viewport(900, 500);
    const host = open(sampleApproval("a", "make"));
    await button(name).click();
    field = page.getByRole("textbox", { name: label });
    const text = lines(60, "make part");
    await field.fill(text);
    expect(isEndInView()).toBe(false);
    let presses = 0;
    while (host.inputsOf("approvals.decide").length === 0 && presses < 20) {
      presses += 1;
      await armed();
      await userEvent.keyboard("{Control>}{Enter}{/Control}");
      await vi.waitFor(() =>
        expect(
          host.inputsOf("approvals.decide").length > 0 || page.getByText("Not all of it").query(),
        ).toBeTruthy(),
      );
      if (presses === 1) expect(host.inputsOf("approvals.decide")).toEqual([]);
    }
    expect(presses).toBeGreaterThan(2);
    expect(endsInView).toEqual([true]);
    expect(host.inputsOf("approvals.decide")).toMatchObject([{ decision: sent(text) }]);
  },
);

it("blanks are no text to be seen, and are not sent", async () => {
  const host = open(sampleApproval("a", "make"));
  await button("Say why").click();
  await page.getByRole("textbox", { name: "Reason" }).fill("\n\n");
  await armed();
  await button("Reject").click();
  await vi.waitFor(() => expect(host.inputsOf("approvals.decide")).toHaveLength(1));
  expect(host.inputsOf("approvals.decide")[0]?.decision).toEqual({ type: "reject" });
});

it("what is typed is on the screen where it is typed, and what was seen before stays seen", async () => {
  await page.viewport(900, 1000);
  const host = open(sampleApproval("a", lines(10, "make part")));
  await button("Edit").click();
  await command.click();
  await userEvent.keyboard("{Control>}{Home}{/Control}cd src{Enter}");
  await armed();
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await vi.waitFor(() =>
    expect(host.inputsOf("approvals.decide")).toMatchObject([
      { decision: { type: "edit", args: { command: `cd src\n${lines(10, "make part")}` } } },
    ]),
  );
});

it("the measure of a field is the field: no line of it is hidden by it or beyond it", async () => {
  await page.viewport(620, 900);
  open(sampleApproval("a", "make"));
  await button("Edit").click();
  const wide = `echo ${"word ".repeat(60)}${"x".repeat(300)}  two  spaces\n\n\ttab\n${"检查 ".repeat(90)}\n`;
  await command.fill(wide);
  const element = command.element() as HTMLTextAreaElement;
  await vi.waitFor(() => expect(isRead(writtenKey("a", "edit"), wide)).toBe(true));
  expect(element.scrollHeight).toBeLessThanOrEqual(element.clientHeight + 2);
  const measure = element.previousElementSibling as HTMLElement;
  expect(measure.offsetHeight).toBe(element.offsetHeight);
});

it("names characters in a field that do not show", async () => {
  open(sampleApproval("a", "make"));
  await button("Edit").click();
  await command.fill("make \u202Etset");
  await expect
    .element(region)
    .toHaveTextContent("do not show or look like others: U+202E right-to-left override");
});

it("an unknown outcome is answered only after all that is known of its output was on the screen", async () => {
  await page.viewport(900, 500);
  const recovery = sampleApproval("a", "", {
    kind: "recovery",
    subject: { kind: "recovery", what: "make", startedAt: 1, output: lines(50, "built"), executionId: "x" },
    allowedDecisions: ["approve", "respond", "reject"],
  });
  const host = open(recovery);
  await expect.element(region.getByText("built 49")).toBeInTheDocument();
  (button("Run again").element() as HTMLElement).click();
  await expect.element(region).toHaveTextContent("Not all of it was on the screen yet");
  expect(host.inputsOf("approvals.decide")).toEqual([]);
  for (const at of [20, 35, 49]) {
    region.getByText(`built ${at}`).element().scrollIntoView({ block: "end" });
    document.querySelector("[data-scroll]")?.scrollBy(0, 200);
    await vi.waitFor(() => expect(region.getByText(`built ${at}`).element()).toBeVisible());
  }
});
