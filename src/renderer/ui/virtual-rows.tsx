/** Many rows of which only those in view are drawn, as a list or a grid; a screen reader still hears how many there are. */
import {
  type ComponentProps,
  createContext,
  type KeyboardEventHandler,
  type ReactElement,
  type Ref,
  useContext,
} from "react";
import {
  type CustomContainerComponentProps,
  type CustomItemComponentProps,
  Virtualizer,
  type VirtualizerHandle,
} from "virtua";
import { cx } from "./class-names.ts";

type VirtualRowsProps<T> = {
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
function VirtualRows<T>(
  props: VirtualRowsProps<T> & Pick<ComponentProps<typeof Virtualizer>, "as" | "item">,
) {
  const { label, rows, children, handle, keepMounted, className, onKeyDown, as, item } = props;
  return (
    <RowsContext value={{ label, count: rows.length }}>
      <div
        className={cx("takes-presses min-h-0 flex-1 overflow-y-auto [overflow-anchor:none]", className)}
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
function useRows() {
  return useContext(RowsContext);
}

/** A virtualised list with the semantics of a real one: ten thousand rows cost what twenty cost, and a screen reader still hears "3 of 10,000". */
export function VirtualList<T>(props: VirtualRowsProps<T>) {
  return <VirtualRows {...props} as={List} item={Item} />;
}

function List(props: CustomContainerComponentProps) {
  const { label } = useRows();
  return <ul {...(props as ComponentProps<"ul">)} aria-label={label} />;
}

function Item({ index, ...rest }: CustomItemComponentProps) {
  const { count } = useRows();
  return <li {...(rest as ComponentProps<"li">)} aria-posinset={index + 1} aria-setsize={count} />;
}

/** @param props.children draws a row with the role `row`; give it a key. */
export function VirtualGrid<T>(props: VirtualRowsProps<T>) {
  return <VirtualRows {...props} as={Grid} item={GridItem} />;
}

function Grid(props: CustomContainerComponentProps) {
  const { label, count } = useRows();
  // biome-ignore lint/a11y/useSemanticElements: rows of a table cannot be virtualised
  return <div {...(props as ComponentProps<"div">)} role="grid" aria-label={label} aria-rowcount={count} />;
}

function GridItem({ index: _, ...rest }: CustomItemComponentProps) {
  return <div {...(rest as ComponentProps<"div">)} role="none" />;
}

/** @param place counted from 0, of all rows. */
export function GridRow({ place, ...rest }: ComponentProps<"div"> & { place: number }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    // biome-ignore lint/a11y/useFocusableInteractive: who draws it says which row has the focus
    <div {...rest} role="row" aria-rowindex={place + 1} />
  );
}

export function GridCell(props: ComponentProps<"div">) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    // biome-ignore lint/a11y/useFocusableInteractive: the row has the focus
    <div {...props} role="gridcell" />
  );
}
