/** Which list the keys of the queue act on while the queue moves between the column and the main pane. */
import { expect, it } from "vitest";
import { leaveOrder, takeOrder, useQueue } from "./queue-store.ts";

const order = () => useQueue.getState().order;

it("keeps the order of the list that stands on the screen, in whichever turn another one leaves it", () => {
  const [column, main] = [
    ["a", "b"],
    ["a", "b"],
  ];
  takeOrder(column, new Map(), false);
  takeOrder(main, new Map(), false);
  leaveOrder(column);
  expect(order()).toEqual(["a", "b"]);
  leaveOrder(main);
  expect(order()).toEqual([]);
  takeOrder(column, new Map(), false);
  expect(order()).toEqual(["a", "b"]);
});
