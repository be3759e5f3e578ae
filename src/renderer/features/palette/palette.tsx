/** The palette: one field that finds what can be done and where one can go. */
import { Dialog } from "@base-ui/react/dialog";
import { type KeyboardEvent, useId, useMemo, useRef, useState } from "react";
import type { ThreadId } from "../../../shared/ids.ts";
import { useActions } from "../../base/actions.ts";
import { useRoute } from "../../base/navigation.ts";
import { usePalette } from "../../base/stores/palette-store.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { cx } from "../../ui/class-names.ts";
import { Kbd } from "../../ui/kbd.tsx";
import { moveInList } from "../../ui/move-in-list.ts";
import { strings as threadStrings } from "../threads/strings.ts";
import { threadEntries } from "../threads/thread-entries.tsx";
import { findItems, listItems, type PaletteItem } from "./palette-items.ts";
import { strings } from "./strings.ts";

/** Always in the first load: a key pressed while its code came would go to the page behind. */
export function Palette() {
  const open = usePalette((state) => state.open);
  return open ? <PaletteDialog /> : null;
}

function PaletteDialog() {
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState("");
  const [current, setCurrent] = useState(0);
  // What is offered is fixed when it opens, so that nothing moves under the pointer.
  const [all] = useState(listAll);
  const found = useMemo(() => findItems(all, query), [all, query]);
  const list = useId();

  function onKeyDown(event: KeyboardEvent) {
    const item = found[current];
    if (event.key === "Enter") {
      event.preventDefault();
      if (item) choose(item);
      return;
    }
    const next = moveInList(event.key, current, found.length);
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(next);
    document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: "nearest" });
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-[rgb(10_12_20/45%)]" />
        <Dialog.Popup
          initialFocus={input}
          className="fixed top-[12dvh] left-1/2 z-50 flex max-h-[70dvh] w-[calc(100vw-32px)] max-w-[600px] -translate-x-1/2 flex-col rounded-lg border border-line bg-raised shadow-pop"
        >
          <Dialog.Title className="sr-only">{strings.title}</Dialog.Title>
          <input
            ref={input}
            role="combobox"
            aria-label={strings.field}
            aria-expanded
            aria-controls={list}
            aria-activedescendant={found[current] ? `${list}-${current}` : undefined}
            aria-autocomplete="list"
            autoComplete="off"
            spellCheck={false}
            placeholder={strings.placeholder}
            value={query}
            onChange={(event) => {
              setQuery(event.target.value);
              setCurrent(0);
            }}
            onKeyDown={onKeyDown}
            className="w-full rounded-t-lg border-b border-line bg-transparent px-4 py-2.5 text-lg outline-none"
          />
          <Results id={list} items={found} current={current} onHover={setCurrent} />
          {found.length === 0 && (
            <p role="status" className="px-4 py-3 text-ink-2">
              {strings.none(query.trim())}
            </p>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type ResultsProps = {
  id: string;
  items: readonly PaletteItem[];
  current: number;
  onHover: (index: number) => void;
};

function Results({ id, items, current, onHover }: ResultsProps) {
  return (
    <div id={id} role="listbox" aria-label={strings.results} className="min-h-0 overflow-y-auto p-1">
      {items.map((item, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and answers Enter
        <div
          key={item.id}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === current}
          onPointerMove={() => onHover(index)}
          onClick={() => choose(item)}
          className={cx(
            "flex cursor-default items-center gap-3 rounded-md px-3 py-1.5",
            index === current && "bg-hover",
          )}
        >
          <span className="min-w-0 flex-1 truncate">{item.label}</span>
          <span className="text-sm text-ink-2">{item.kind}</span>
          {item.keys && <Kbd keys={item.keys} />}
        </div>
      ))}
    </div>
  );
}

function listAll(): PaletteItem[] {
  const { byId } = useThreads.getState();
  const { view, id } = useRoute.getState();
  const open = view === "thread" ? byId.get(id as ThreadId) : undefined;
  // A thread that is open is read at once.
  const ofOpen = open ? threadEntries(open).filter(({ label }) => label !== threadStrings.markUnread) : [];
  return listItems(useActions.getState().actions, ofOpen, byId.values());
}

function close(): void {
  usePalette.setState({ open: false });
}

/** It runs once the palette is gone and the focus is back where it was, as if its key had been pressed there. */
function choose(item: PaletteItem): void {
  close();
  requestAnimationFrame(() => requestAnimationFrame(item.run));
}
