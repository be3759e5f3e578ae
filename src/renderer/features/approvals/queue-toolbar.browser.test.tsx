/** The head of the approvals: what became of requests and in which order they stand, in one line beside the search. */
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { armed, region } from "../../testing/open-cards.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { useQueue } from "./queue-store.ts";

const views = region.getByRole("group", { name: "View" });
const order = region.getByRole("button", { name: /^Order: / });
const rows = () =>
  [...document.querySelectorAll("[data-queue-row]")].map((row) => row.getAttribute("data-queue-row"));

const openedRequests = () => [
  { approval: sampleApproval("old", "make one", { requestedAt: 1, risk: "low" }) },
  { approval: sampleApproval("new", "make two", { requestedAt: 2, risk: "high" }) },
  { approval: sampleApproval("later", "make three", { snoozedUntil: Date.now() + 600_000 }) },
];
const open = () => openLiveQueue(openedRequests());

it.each([1440, 1024])("stands in one line at %i pixels, with everything in view", async (width) => {
  await page.viewport(width, 720);
  open();
  await expect.element(order).toBeVisible();
  await document.fonts.ready;
  const head = [
    region.getByRole("heading", { level: 1 }),
    ...["Waiting", "Snoozed 1", "Decided"].map((name) => views.getByRole("button", { name, exact: true })),
    order,
    region.getByRole("searchbox"),
    region.getByRole("button", { name: "Filter" }),
    region.getByRole("button", { name: "New thread" }),
  ].map((one) => one.element().getBoundingClientRect());
  const middles = head.map(({ top, bottom }) => (top + bottom) / 2);
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(4);
  expect(Math.max(...head.map(({ right }) => right))).toBeLessThanOrEqual(width);
});

it.each([320, 768, 1000])(
  "stands in two lines at %i pixels: what became of it, then search and order",
  async (width) => {
    await page.viewport(width, 640);
    open();
    if (width < 900) await page.getByRole("button", { name: "List" }).click();
    await expect.element(order).toBeVisible();
    await document.fonts.ready;
    const button = (name: string) => region.getByRole("button", { name, exact: true });
    const lines = [
      [button("Waiting"), button("Snoozed 1"), button("Decided"), button("New thread")],
      [order, region.getByRole("searchbox"), button("Filter")],
    ].map((line) => line.map((one) => one.element().getBoundingClientRect()));
    for (const line of lines) {
      const middles = line.map(({ top, bottom }) => (top + bottom) / 2);
      expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(4);
      expect(Math.max(...line.map(({ right }) => right))).toBeLessThanOrEqual(width - 16);
    }
    expect(lines[1]![0]!.top).toBeGreaterThanOrEqual(lines[0]![0]!.bottom);
  },
);

it("f opens the filters, as / goes to the search", async () => {
  await page.viewport(1440, 900);
  open();
  await vi.waitFor(() => expect(rows()).toEqual(["old", "new"]));
  await userEvent.keyboard("f");
  await page.getByRole("combobox", { name: "Risk" }).selectOptions("high");
  await vi.waitFor(() => expect(rows()).toEqual(["new"]));
  await userEvent.keyboard("{Escape}/");
  await expect.element(region.getByRole("searchbox")).toHaveFocus();
});

it.each(["Enter", "ArrowDown", "Escape"])(
  "%s leads from the search to the card it found, and the words stay",
  async (key) => {
    await page.viewport(1440, 900);
    open();
    await vi.waitFor(() => expect(rows()).toEqual(["old", "new"]));
    const search = region.getByRole("searchbox");
    await search.fill("two");
    await vi.waitFor(() => expect(rows()).toEqual(["new"]));
    await expect.element(search).toHaveFocus();
    await userEvent.keyboard(`{${key}}`);
    await vi.waitFor(() => expect(document.activeElement?.getAttribute("data-approval")).toBe("new"));
    await expect.element(search).toHaveValue("two");
  },
);

it("keeps the order of what waits while the person looks at what was snoozed and decided", async () => {
  await page.viewport(1440, 900);
  open();
  await vi.waitFor(() => expect(rows()).toEqual(["old", "new"]));
  await order.click();
  await page.getByRole("menuitemradio", { name: "Urgent first" }).click();
  await vi.waitFor(() => expect(rows()).toEqual(["new", "old"]));
  await views.getByRole("button", { name: "Snoozed 1" }).click();
  await vi.waitFor(() => expect(rows()).toEqual(["later"]));
  await expect.element(order).not.toBeInTheDocument();
  await views.getByRole("button", { name: "Decided" }).click();
  await views.getByRole("button", { name: "Waiting" }).click();
  await vi.waitFor(() => expect(rows()).toEqual(["new", "old"]));
  await expect.element(order).toHaveTextContent("Urgent first");
  await userEvent.keyboard("gw");
  await vi.waitFor(() => expect(useQueue.getState().view).toBe("all"));
});

it("counts what waits alike everywhere without what is snoozed, and nothing moves for the number of those", async () => {
  await page.viewport(1440, 720);
  const [first, ...others] = openedRequests();
  openLiveQueue([
    first!,
    ...others.map(({ approval }) => ({ approval: { ...approval, snoozedUntil: undefined } })),
  ]);
  const badge = region.getByRole("heading", { level: 1 });
  await expect.element(badge).toHaveTextContent("Approvals3");
  const left = () => order.element().getBoundingClientRect().left;
  const before = left();
  await armed();
  await userEvent.keyboard("s");
  await expect.element(views.getByRole("button", { name: "Snoozed 1", exact: true })).toBeVisible();
  expect(left()).toBe(before);
  await expect.element(badge).toHaveTextContent("Approvals2");
  expect(document.title).toBe("(2) Countersign");
  for (const said of [
    page.getByRole("button", { name: "Approvals: 2 approvals wait for you" }),
    region.getByRole("grid", { name: "2 approvals wait for you" }),
  ])
    await expect.element(said).toBeVisible();
});

it.each([
  [1440, 900],
  [1024, 768],
  [768, 1024],
  [480, 800],
])("nothing in it moves from view to view at %i pixels", async (width, height) => {
  await page.viewport(width, height);
  open();
  if (width < 900) await page.getByRole("button", { name: "List" }).click();
  await expect.element(order).toBeVisible();
  await document.fonts.ready;
  const standing = [
    ...["Waiting", "Snoozed 1", "Decided"].map((name) => views.getByRole("button", { name, exact: true })),
    region.getByRole("searchbox"),
    region.getByRole("button", { name: "Filter" }),
    region.getByRole("button", { name: "New thread" }),
  ];
  const edges = () =>
    standing.map((one) => {
      const { left, top } = one.element().getBoundingClientRect();
      return `${Math.round(left)} ${Math.round(top)}`;
    });
  const before = edges();
  for (const name of ["Snoozed 1", "Decided", "Waiting"]) {
    const button = views.getByRole("button", { name, exact: true });
    await button.click();
    await expect.element(button).toHaveAttribute("aria-pressed", "true");
    expect(edges()).toEqual(before);
  }
});
