/** A virtualised list with the semantics of a real one: ten thousand rows cost what twenty cost, and a screen reader still hears "3 of 10,000". */
import type { ComponentProps } from "react";
import type { CustomContainerComponentProps, CustomItemComponentProps } from "virtua";
import { useRows, VirtualRows, type VirtualRowsProps } from "./virtual-rows.tsx";

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
