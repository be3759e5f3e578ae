/** A virtualised grid of one line a row: what is drawn is what is in view, and a screen reader still hears how many there are. */
import type { ComponentProps } from "react";
import type { CustomContainerComponentProps, CustomItemComponentProps } from "virtua";
import { useRows, VirtualRows, type VirtualRowsProps } from "./virtual-rows.tsx";

/** @param props.children draws a row with the role `row`; give it a key. */
export function VirtualGrid<T>(props: VirtualRowsProps<T>) {
  return <VirtualRows {...props} as={Grid} item={Item} />;
}

function Grid(props: CustomContainerComponentProps) {
  const { label, count } = useRows();
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
