/** A row of tabs over the pane of the chosen one. */
import { Tabs } from "@base-ui/react/tabs";
import type { ReactNode } from "react";

type Pane<T extends string> = { id: T; label: string; content: ReactNode };
type TabbedPaneProps<T extends string> = {
  label: string;
  value: T;
  onChange: (value: T) => void;
  panes: readonly Pane<T>[];
};

export function TabbedPane<T extends string>({ label, value, onChange, panes }: TabbedPaneProps<T>) {
  return (
    <Tabs.Root
      value={value}
      onValueChange={(next) => onChange(next as T)}
      className="flex min-h-0 flex-1 flex-col"
    >
      <Tabs.List
        aria-label={label}
        className="flex flex-wrap gap-x-1 border-b max-[520px]:gap-x-0 border-line bg-surface px-2"
      >
        {panes.map((pane) => (
          <Tabs.Tab
            key={pane.id}
            value={pane.id}
            className="-mb-px border-b-2 border-transparent px-2 py-1.5 text-ink-2 max-[520px]:px-1.5 hover:text-ink data-[active]:border-ink data-[active]:font-medium data-[active]:text-ink"
          >
            {pane.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {panes.map((pane) => (
        <Tabs.Panel
          key={pane.id}
          value={pane.id}
          className="min-h-0 flex-1 overflow-y-auto px-4 py-4 focus-visible:-outline-offset-2"
        >
          <div className="max-w-[760px]">{pane.content}</div>
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}
