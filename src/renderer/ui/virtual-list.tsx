/** A virtualised list with the semantics of a real one: ten thousand rows cost what twenty cost, and a screen reader still hears "3 of 10,000". */
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

type VirtualListProps<T> = {
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

const ListContext = createContext({ label: "", count: 0 });

export function VirtualList<T>({
  label,
  rows,
  children,
  handle,
  keepMounted,
  className,
  onKeyDown,
}: VirtualListProps<T>) {
  return (
    <ListContext value={{ label, count: rows.length }}>
      <div
        className={`min-h-0 flex-1 overflow-y-auto [overflow-anchor:none] ${className ?? ""}`}
        role="none"
        data-scroll
        onKeyDown={onKeyDown}
      >
        <Virtualizer ref={handle} data={rows} as={List} item={Item} keepMounted={keepMounted}>
          {children}
        </Virtualizer>
      </div>
    </ListContext>
  );
}

function List(props: CustomContainerComponentProps) {
  const { label } = useContext(ListContext);
  return <ul {...(props as ComponentProps<"ul">)} aria-label={label} />;
}

function Item({ index, ...rest }: CustomItemComponentProps) {
  const { count } = useContext(ListContext);
  return <li {...(rest as ComponentProps<"li">)} aria-posinset={index + 1} aria-setsize={count} />;
}
