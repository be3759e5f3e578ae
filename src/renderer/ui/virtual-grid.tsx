/** A virtualised grid of one line a row: what is drawn is what is in view, and a screen reader still hears how many there are. */
import { type ComponentProps, createContext, type ReactElement, type Ref, useContext } from "react";
import {
  type CustomContainerComponentProps,
  type CustomItemComponentProps,
  Virtualizer,
  type VirtualizerHandle,
} from "virtua";
import { cx } from "./class-names.ts";

type VirtualGridProps<T> = {
  label: string;
  rows: readonly T[];
  /** Draws a row with the role `row`; give it a key. */
  children: (row: T, index: number) => ReactElement;
  handle?: Ref<VirtualizerHandle>;
  keepMounted?: readonly number[];
  className?: string;
};

const GridContext = createContext({ label: "", count: 0 });

export function VirtualGrid<T>({
  label,
  rows,
  children,
  handle,
  keepMounted,
  className,
}: VirtualGridProps<T>) {
  return (
    <GridContext value={{ label, count: rows.length }}>
      <div
        className={cx("min-h-0 flex-1 overflow-y-auto [overflow-anchor:none]", className)}
        role="none"
        data-scroll
      >
        <Virtualizer ref={handle} data={rows} as={Grid} item={Item} keepMounted={keepMounted}>
          {children}
        </Virtualizer>
      </div>
    </GridContext>
  );
}

function Grid(props: CustomContainerComponentProps) {
  const { label, count } = useContext(GridContext);
  // biome-ignore lint/a11y/useSemanticElements: rows of a table cannot be virtualised
  return <div {...(props as ComponentProps<"div">)} role="grid" aria-label={label} aria-rowcount={count} />;
}

function Item({ index: _, ...rest }: CustomItemComponentProps) {
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
