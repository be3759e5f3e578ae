/** The rules as a person keeps them, in a real browser over a scripted host. */
import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Rule } from "../../../shared/contract/rules.ts";
import { ruleIdSchema } from "../../../shared/ids.ts";
import { openConsole } from "../../testing/open-console.ts";
import { pressOnceRead, pressToTheEnd } from "../../testing/press-once-read.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";

const rule: Rule = {
  id: ruleIdSchema.parse("r1"),
  text: "git status",
  effect: "allow",
  scope: "user",
  target: "command",
};

function openRules(
  problems: { line: number; column: number; field: string; message: string }[] = [],
  rules = [rule],
  answers = {},
) {
  return openConsole(
    { threads: [], approvals: [] },
    {
      "rules.list": () => ({ rules, file: "/home/ada/.countersign/rules.json", problems }),
      "rules.preview": () => ({
        ok: true,
        wouldApprove: 14,
        ofWhichRejected: 2,
        samples: ["npm test"],
        rejected: ["npm test -- --watch"],
      }),
      "rules.add": () => rule,
      "rules.remove": () => ({}),
      "workspaces.list": () => ({
        workspaces: [{ path: "/home/ada/shop", name: "shop", trusted: false, lastUsedAt: 1 }],
        home: "/home/ada",
      }),
      ...answers,
    },
    "#/settings/rules",
  );
}

it("says what a rule would have decided before it is added", async () => {
  const host = openRules();
  await page.getByRole("button", { name: "Make a rule…" }).click();
  await page.getByRole("textbox", { name: "Command, from its first word on" }).fill("npm test");
  await expect.element(page.getByText("Would have approved 14, 2 of which you rejected.")).toBeVisible();
  expect(host.inputsOf("rules.add")).toEqual([]);
  await pressOnceRead(page.getByRole("button", { name: "Save rule" }));
  await expect.poll(() => host.inputsOf("rules.add")).toMatchObject([{ text: "npm test", effect: "allow" }]);
});

it("names line and field of an entry that is refused", async () => {
  openRules([{ line: 7, column: 3, field: "rules[2].effect", message: "is not allow, ask or deny" }]);
  const alert = page.getByRole("alert");
  await expect
    .element(alert)
    .toHaveTextContent("Line 7, column 3, rules[2].effect: is not allow, ask or deny");
});

it("offers the rules that past decisions would have made, each in the form before it holds", async () => {
  let rules = [
    { text: "npm test", exact: false, approved: 31, workspace: "/home/ada/shop" },
    { text: "make build", exact: true, approved: 4, workspace: "/home/ada/shop" },
  ];
  const host = openRules([], [], {
    "rules.suggest": () => ({ decided: 50, rules }),
    "rules.declineOffer": ({ text }: { text: string }) => {
      rules = rules.filter((one) => one.text !== text);
      return {};
    },
  });
  const offers = page.getByRole("region", { name: "Rules that would have answered you" });
  await expect.element(offers).toHaveTextContent("35 of your last 50 decisions about commands");
  await page.getByRole("button", { name: "Never offer the rule make build" }).click();
  await expect.element(offers).not.toHaveTextContent("make build");
  expect(host.inputsOf("rules.declineOffer")).toEqual([{ workspace: "/home/ada/shop", text: "make build" }]);
  await page.getByRole("button", { name: "Look at the rule npm test" }).click();
  await expect.element(page.getByText("Would have approved 14, 2 of which you rejected.")).toBeVisible();
  expect(host.inputsOf("rules.add")).toEqual([]);
  await pressOnceRead(page.getByRole("button", { name: "Save rule" }));
  await expect
    .poll(() => host.inputsOf("rules.add"))
    .toMatchObject([{ text: "npm test", scope: "workspace", workspace: "/home/ada/shop", effect: "allow" }]);
});

it("offers to remove what answered nothing for long, and removes it only once the list was looked at", async () => {
  const idle = { ...rule, id: ruleIdSchema.parse("r2"), text: "make idle" };
  let rules = [rule, idle];
  const host = openRules([], [], {
    "rules.list": () => ({ rules, file: "/home/ada/.countersign/rules.json", problems: [] }),
    "rules.unused": () => ({ days: 30, rules: rules.filter(({ id }) => id === idle.id) }),
    "rules.removeUnused": () => {
      rules = [rule];
      return { removed: 1 };
    },
  });
  const offered = page.getByRole("region", { name: "Rules that answered nothing" });
  await expect.element(offered).toHaveTextContent("answered nothing in 30 days");
  await expect.element(offered).not.toHaveTextContent("git status");
  await offered.getByRole("button", { name: "Remove it…" }).click();
  expect(host.inputsOf("rules.removeUnused")).toEqual([]);
  const dialog = page.getByRole("dialog", { name: "Remove this rule?" });
  await expect.element(dialog).toHaveTextContent("make idle");
  await pressOnceRead(dialog.getByRole("button", { name: "Remove rule" }));
  await expect.poll(() => host.inputsOf("rules.removeUnused")).toEqual([{ ids: ["r2"] }]);
  await expect.element(offered).not.toBeInTheDocument();
});

it("removes a rule only after asking", async () => {
  const host = openRules();
  await page.getByRole("button", { name: "Remove the rule git status" }).click();
  expect(host.inputsOf("rules.remove")).toEqual([]);
  await pressOnceRead(page.getByRole("dialog").getByRole("button", { name: "Remove rule" }));
  await expect.poll(() => host.inputsOf("rules.remove")).toEqual([{ id: "r1" }]);
});

it("proposes the rule that fits a card, which holds in its folder unless another place is chosen", async () => {
  const approval = sampleApproval("a", "npm test");
  const host = openConsole(
    { threads: [sampleThread("t1", { waiting: 1 })], approvals: [approval] },
    {
      "approvals.get": () => ({ approval, args: {}, proposal: { rule: "npm test", exact: false } }),
      "rules.preview": () => ({
        ok: true,
        exact: false,
        wouldApprove: 0,
        ofWhichRejected: 0,
        samples: [],
        rejected: [],
      }),
      "rules.add": () => rule,
    },
    "#/queue",
  );
  await page.getByRole("article").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Make a rule…" }).click();
  const dialog = page.getByRole("dialog", { name: "Make a rule" });
  await expect.element(dialog.getByRole("textbox")).toHaveValue("npm test");
  const save = dialog.getByRole("button", { name: "Save rule" });
  await expect.poll(() => host.inputsOf("rules.preview")).toMatchObject([{ workspace: approval.workspace }]);
  await dialog.getByRole("combobox", { name: "Where it holds" }).selectOptions("In this thread");
  await save.click();
  await expect
    .poll(() => host.inputsOf("rules.add"))
    .toMatchObject([{ text: "npm test", scope: "thread", threadId: "t1", effect: "allow" }]);
  await expect.element(dialog).not.toBeInTheDocument();
});

it("lists what waits and is like it, and says that it goes on waiting", async () => {
  const [card, ...others] = ["a", "b", "c"].map((id) => sampleApproval(id, `npm test ${id}`));
  const host = openConsole(
    { threads: [sampleThread("t1", { waiting: 3 })], approvals: [card!, ...others] },
    {
      "approvals.get": () => ({ approval: card!, args: {}, proposal: { rule: "npm test", exact: false } }),
      "rules.preview": () => ({
        ok: true,
        exact: false,
        wouldApprove: 0,
        ofWhichRejected: 0,
        samples: [],
        rejected: [],
        waiting: { count: 9, ids: others.map(({ id }) => id) },
      }),
    },
    "#/queue",
  );
  await page.getByRole("article").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Make a rule…" }).click();
  const waiting = page.getByRole("dialog").getByRole("region", { name: "Waiting requests like it" });
  await expect
    .element(waiting)
    .toHaveTextContent(/decides nothing that waits.*9 requests.*npm test b.*npm test c.*7 more/);
  await expect.element(waiting).not.toHaveTextContent("npm test a");
  // The card itself waits on as well: only "approve and save" decides it.
  expect(host.inputsOf("rules.preview")[0]).not.toHaveProperty("except");
});

it("shows the whole of a long rule, also when the card has only a part of its command", async () => {
  await page.viewport(1024, 720);
  const words = Array.from({ length: 110 }, (_, at) => `--option-${at}=value-${at}`).join(" ");
  const whole = `./deploy.sh ${words} 'in two\nlines' end`;
  const approval = sampleApproval("a", `${whole.slice(0, 200)}…`, { leftOut: whole.length - 200 });
  const host = openConsole(
    { threads: [sampleThread("t1", { waiting: 1 })], approvals: [approval] },
    {
      "approvals.get": () => ({ approval, args: {}, proposal: { rule: whole, exact: true } }),
      "rules.preview": () => ({
        ok: true,
        exact: true,
        wouldApprove: 1,
        ofWhichRejected: 0,
        samples: [whole],
        rejected: [],
      }),
      "rules.add": () => rule,
    },
    "#/queue",
  );
  await page.getByRole("article").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Make a rule…" }).click();
  const dialog = page.getByRole("dialog", { name: "Make a rule" });
  const field = dialog.getByRole("textbox");
  await expect.element(field).toHaveValue(whole);
  await expect.element(dialog.getByRole("listitem")).toHaveTextContent("lines' end");
  // Its line end is pointed out: a second line would look like a second command.
  await expect.element(dialog.getByRole("img", { name: "U+000A line end" })).toBeVisible();
  for (const [width, height] of [
    [1024, 720],
    [480, 800],
  ] as const) {
    await page.viewport(width, height);
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = field.element();
    expect([scrollHeight <= clientHeight, scrollWidth <= clientWidth]).toEqual([true, true]);
  }
  // Each press leads on to what was not seen at this size, until one saves.
  while (host.inputsOf("rules.add").length === 0) {
    (field.query() as HTMLElement | null)?.focus();
    await userEvent.keyboard("{Enter}");
  }
  expect(host.inputsOf("rules.add")).toMatchObject([{ text: whole, exact: true }]);
});

/** Longer than any window: its end would allow what its beginning does not tell. */
const longText = `npm run build ${Array.from({ length: 300 }, (_, at) => `--part-${at}`).join(" ")} --and-publish`;

it("saves a long rule only once all of it was on the screen, by whichever press", async () => {
  await page.viewport(480, 500);
  const host = openRules();
  await page.getByRole("button", { name: "Make a rule…" }).click();
  const dialog = page.getByRole("dialog", { name: "Make a rule" });
  const field = dialog.getByRole("textbox");
  const save = dialog.getByRole("button", { name: "Save rule" });
  await field.fill(longText);
  await expect.element(save).toHaveAttribute("data-locked");
  await expect.element(dialog.getByText("Look at the rule to its end.")).toBeVisible();
  // A press leads to what was not seen, and saves nothing before that is its end.
  const { bottom } = save.element().getBoundingClientRect();
  const isEndShown = () => field.element().getBoundingClientRect().bottom < bottom;
  (field.element() as HTMLElement).focus({ preventScroll: true });
  await userEvent.keyboard("{Enter}");
  for (let wasShown = isEndShown(); save.query() !== null; wasShown ||= isEndShown()) {
    if (!wasShown) expect(host.inputsOf("rules.add")).toEqual([]);
    (save.query() as HTMLElement | null)?.click();
    await new Promise(requestAnimationFrame);
  }
  expect(host.inputsOf("rules.add")).toMatchObject([{ text: longText }]);
});

it("removes a long rule only once all of it was on the screen, hidden characters pointed out", async () => {
  await page.viewport(480, 500);
  const host = openRules([], [{ ...rule, text: `${longText}\u202e` }]);
  await page.getByRole("button", { name: /^Remove the rule/ }).click();
  const dialog = page.getByRole("dialog", { name: "Remove this rule?" });
  const remove = dialog.getByRole("button", { name: "Remove rule" });
  await expect.element(dialog.getByRole("img", { name: /^U\+202E/ })).toBeInTheDocument();
  await expect.element(remove).toHaveAttribute("data-locked");
  (remove.element() as HTMLElement).click();
  await dialog.getByText("Look at the rule to its end.").click();
  expect(host.inputsOf("rules.remove")).toEqual([]);
  await pressToTheEnd(remove);
  expect(host.inputsOf("rules.remove")).toEqual([{ id: "r1" }]);
});
