/** The figures of one's own deciding, in the settings. */
import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Output } from "../../../shared/contract/contract.ts";
import { openConsole } from "../../testing/open-console.ts";

type Fatigue = Output<"approvals.fatigue">;
const figures: Fatigue = {
  decided: 240,
  days: 12,
  perHour: 18.4,
  perThread: 6,
  approved: 200,
  lookMs: 3_400,
  looked: 180,
  risky: 40,
  hurried: 7,
  regretted: 5,
  change: { kind: "rules", spared: 96 },
};
const open = (answer: Fatigue) =>
  openConsole({ threads: [], approvals: [] }, { "approvals.fatigue": () => answer }, "#/settings/deciding");

it("says how one decides, and leads by keyboard to the change that would spare most", async () => {
  open(figures);
  const list = page.getByLabelText("How you decide", { exact: true });
  await expect.element(list).toHaveTextContent("240 in 12 days");
  await expect.element(list).toHaveTextContent("18.4 an hour at work, 6 a thread");
  await expect.element(list).toHaveTextContent("3.4 s, the median of 180");
  await expect.element(list).toHaveTextContent("7 of 40 (18 %)");
  await expect.element(list).toHaveTextContent("5 of 200 (3 %)");
  await expect.element(page.getByText("it is sent nowhere", { exact: false })).toBeVisible();
  const button = page.getByRole("button", { name: "Look at these rules" });
  (button.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => location.hash).toBe("#/settings/rules");
});

it("says what nobody measured, and that nothing would spare much", async () => {
  open({ ...figures, looked: 0, lookMs: undefined, risky: 0, hurried: 0, change: undefined });
  const list = page.getByLabelText("How you decide", { exact: true });
  await expect.element(list).toHaveTextContent("not measured yet");
  await expect.element(list).toHaveTextContent("none yet");
  await expect.element(page.getByText("No single change would have spared you much.")).toBeVisible();
});

it("is honest about an empty record", async () => {
  open({
    decided: 0,
    days: 0,
    perHour: 0,
    perThread: 0,
    approved: 0,
    looked: 0,
    risky: 0,
    hurried: 0,
    regretted: 0,
  });
  await expect.element(page.getByText("You have decided nothing here yet.")).toBeVisible();
  await expect.element(page.getByLabelText("How you decide", { exact: true })).not.toBeInTheDocument();
});
