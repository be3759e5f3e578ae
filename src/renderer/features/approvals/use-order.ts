/** Tells the keys which cards and groups there are to go through, in order. */
import { useEffect, useLayoutEffect, useRef } from "react";
import { lookForRead } from "../seen/read-gauge.ts";
import type { QueueRow } from "./arrange-queue.ts";
import { hasQueueFocus } from "./queue-focus.ts";
import { leaveOrder, takeOrder } from "./queue-store.ts";

export function useOrder(rows: readonly QueueRow[]): void {
  const own = useRef<readonly string[]>([]);
  useLayoutEffect(() => {
    const order = rows.flatMap((row) => (row.kind === "heading" ? [] : row.key));
    const groups = new Map(
      rows.flatMap((row) =>
        row.kind === "alike" ? [[row.key, row.approvals.map(({ id }) => id)] as const] : [],
      ),
    );
    own.current = order;
    takeOrder(order, groups, hasQueueFocus());
    lookForRead();
  }, [rows]);
  // Without a list on the screen there is nothing for keys to act on.
  useEffect(() => () => leaveOrder(own.current), []);
}
