/** The offer of a rule on a card: in one line, from the host's count, and gone for good when it is declined. */
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { asOwnWords, collisionsIn, outOf } from "../../testing/card-geometry.ts";
import { hostileTexts } from "../../testing/hostile-texts.ts";
import { openConsole } from "../../testing/open-console.ts";
import { pressOnceRead } from "../../testing/press-once-read.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";

const offer = page.getByRole("group", { name: "A rule for it" });
const card = () => document.querySelector<HTMLElement>("[data-approval]") as HTMLElement;

function open(text: string, change: Record<string, unknown> = {}) {
  const approval = sampleApproval("a", "npm test", change);
  return openConsole(
    { threads: [sampleThread("t1", { waiting: 1 })], approvals: [approval] },
    {
      "rules.offer": () => ({ offer: { text, approved: 4 } }),
      "rules.declineOffer": () => ({}),
      "rules.preview": () => ({
        ok: true,
        exact: false,
        wouldApprove: 4,
        ofWhichRejected: 0,
        samples: [],
        rejected: [],
      }),
      "approvals.get": () => ({ approval, args: {}, proposal: { rule: text, exact: false } }),
    },
    "#/queue",
  );
}

it("says how often, and leads to the dialog that shows it", async () => {
  open("npm test");
  await expect
    .element(offer)
    .toHaveTextContent("You decided 4 like it and rejected none. A rule npm test could answer them");
  await pressOnceRead(offer.getByRole("button", { name: "Look at it…" }));
  await expect.element(page.getByRole("dialog").getByRole("textbox")).toHaveValue("npm test");
});

it("is declined for good", async () => {
  const host = open("npm test");
  await offer.getByRole("button", { name: "Never offer this" }).click();
  await expect.element(offer).not.toBeInTheDocument();
  expect(host.inputsOf("rules.declineOffer")).toEqual([{ workspace: "/home/ada/shop", text: "npm test" }]);
});

it("moves nothing that can be pressed or is read when it comes", async () => {
  open("npm test");
  await vi.waitFor(() => expect(card()).not.toBeNull());
  const places = () =>
    [...card().querySelectorAll("[data-decisions] button, [data-why], [data-subject]")].map(
      (one) => one.getBoundingClientRect().top,
    );
  const before = places();
  await expect.element(offer).toBeVisible();
  expect(places()).toEqual(before);
});

it("is not even asked for where no rule may answer, nor beside another view", async () => {
  const units = [{ text: "x", verdict: "new", reason: "r", class: "leaves" }];
  const host = open("npm test", { verdict: { verdict: "new", units } });
  await vi.waitFor(() => expect(host.inputsOf("approvals.reach")).toHaveLength(1));
  location.hash = "#/agents";
  await vi.waitFor(() => expect(document.querySelector("main [data-queue]")).toBeNull());
  await userEvent.keyboard("{Shift}");
  expect(host.inputsOf("rules.offer")).toEqual([]);
});

it.each(Object.entries(hostileTexts))("shows no rule as the console's own words: %s", async (_, text) => {
  await page.viewport(480, 800);
  open(text);
  await expect.element(offer).toBeVisible();
  expect([outOf(card()), collisionsIn(card()), asOwnWords(offer.element(), text.slice(0, 12))]).toEqual([
    [],
    [],
    [],
  ]);
});
