/** The tour stands above the approvals and says the key for the request that waits, in a real browser over a scripted host. */
import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";
import { addUndo, useUndo } from "../approvals/undo.ts";
import { strings } from "./strings.ts";
import { tourLine, useTour } from "./tour-store.ts";

const tour = page.getByRole("region", { name: "Tour" });
const t1 = sampleThread("t1").id;
const asks = (tool: string, risk: Approval["risk"]) =>
  sampleApproval("a1", "npm test", { threadId: t1, tool, risk });

it("names a key for each request it can meet, and is over with the turn", () => {
  expect(tourLine(asks("write_file", "medium"), "waiting")).toBe("approve");
  expect(tourLine(asks("edit_file", "medium"), "waiting")).toBe("undo");
  expect(tourLine(asks("execute", "medium"), "waiting")).toBe("reject");
  expect(tourLine(asks("execute", "high"), "waiting")).toBe("hold");
  expect(tourLine(undefined, "running")).toBe("between");
  for (const status of ["done", "failed", "stopped", "interrupted"] as const)
    expect(tourLine(undefined, status)).toBe("over");
});

it("leads on to a model and a folder at the end, by keyboard, and goes when it is closed", async () => {
  useTour.setState({ threadId: t1 });
  openConsole(
    {
      threads: [sampleThread("t1", { status: "done" })],
      approvals: [],
      host: { workspace: "/home/ada/shop" },
    },
    {
      "workspaces.list": () => ({ workspaces: [], home: "/home/ada" }),
      "workspaces.browse": () => ({ path: "/", parent: null, folders: [], drives: [], writable: true }),
    },
  );
  await expect.element(tour).toHaveTextContent("That is all: agents ask here, you decide.");
  await expect.element(tour.getByRole("button", { name: "Connect a model" })).toBeVisible();
  tour.getByRole("button", { name: "Open your folder" }).element().focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByRole("dialog")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  tour.getByRole("button", { name: "End the tour" }).element().focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(tour).not.toBeInTheDocument();
});

it("names the key that takes back only while something can be taken back", async () => {
  useTour.setState({ threadId: t1 });
  openConsole({ threads: [sampleThread("t1", { status: "running" })], approvals: [] }, {});
  await expect.element(tour).toHaveTextContent(/its next request comes by itself\.$/);
  addUndo({ ids: [], effectiveAt: Date.now() + 60_000 });
  await expect.element(tour).toHaveTextContent("Until it starts, z takes back what you approved last.");
  useUndo.setState({ entries: [] });
  useTour.setState({ threadId: undefined });
});

it("says a key for what waits now, with the key as it is printed", async () => {
  useTour.setState({ threadId: t1 });
  openConsole(
    { threads: [sampleThread("t1", { status: "waiting" })], approvals: [asks("execute", "high")] },
    {},
  );
  await expect.element(tour).toHaveTextContent("hold y until it is done");
  await expect.element(tour.getByRole("button", { name: "Connect a model" })).not.toBeInTheDocument();
  expect(strings.tourLines.hold).toContain("`y`");
  useTour.setState({ threadId: undefined });
});
