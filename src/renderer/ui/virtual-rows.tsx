/** The scroller of many rows of which only those in view are drawn; the list and the grid each say what a row is. */
import {
  type ComponentProps,
  createContext,
  type KeyboardEventHandler,
  type ReactElement,
  type Ref,
  useContext,
} from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { cx } from "./class-names.ts";

export type VirtualRowsProps<T> = {
  label: string;
  rows: readonly T[];
  /** Draws a row; give it a key. */
  children: (row: T, index: number) => ReactElement;
  handle?: Ref<VirtualizerHandle>;
  /** Rows that stay drawn when scrolled away, such as the one with the focus. */
  keepMounted?: readonly number[];
  className?: string;
  onKeyDown?: KeyboardEventHandler<HTMLElement>;
};

const RowsContext = createContext({ label: "", count: 0 });

/** @param as draws what holds the rows, @param item draws what holds one of them. */
export function VirtualRows<T>(
  props: VirtualRowsProps<T> & Pick<ComponentProps<typeof Virtualizer>, "as" | "item">,
) {
  const { label, rows, children, handle, keepMounted, className, onKeyDown, as, item } = props;
  return (
    <RowsContext value={{ label, count: rows.length }}>
      <div
        className={cx("min-h-0 flex-1 overflow-y-auto [overflow-anchor:none]", className)}
        role="none"
        data-scroll
        onKeyDown={onKeyDown}
      >
        <Virtualizer ref={handle} data={rows} as={as} item={item} keepMounted={keepMounted}>
          {children}
        </Virtualizer>
      </div>
    </RowsContext>
  );
}

/** What the rows around are called together, and how many there are, drawn or not. */
export function useRows() {
  return useContext(RowsContext);
}
