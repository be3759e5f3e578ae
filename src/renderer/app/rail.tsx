/** The narrow strip at the left: where one can go, and how much waits. */
import { Keyboard } from "lucide-react";
import { useActions } from "../base/actions.ts";
import { go, useRoute } from "../base/navigation.ts";
import { useHaltedCount } from "../base/stores/threads-store.ts";
import { useWaitingCount } from "../base/stores/waiting.ts";
import { strings } from "../base/strings.ts";
import { cx } from "../ui/class-names.ts";
import { printedKeys } from "../ui/kbd.tsx";
import { openKeySheet } from "../ui/key-sheet.tsx";
import { type View, views } from "./views.ts";

const item =
  "relative grid size-9 place-items-center rounded-md text-ink-2 transition-colors hover:bg-hover hover:text-ink [&_svg]:size-[18px]";

export function Rail() {
  const current = useRoute((route) => route.view);
  const waiting = useWaitingCount();
  const halted = useHaltedCount();
  const draw = (place: View["rail"]) =>
    views
      .filter((view) => view.rail === place)
      .map((view) => (
        <RailItem
          key={view.id}
          view={view}
          current={view.id === current}
          {...(view.id === "queue" ? { waiting, halted } : { waiting: 0, halted: 0 })}
        />
      ));
  return (
    <nav
      aria-label={strings.views}
      className="flex w-12 shrink-0 flex-col items-center gap-1 border-r border-line bg-surface py-2"
    >
      {draw("top")}
      <span className="flex-1" />
      {draw("bottom")}
      <button
        type="button"
        className={item}
        aria-label={strings.keys}
        title={`${strings.keys} (?)`}
        onClick={openKeySheet}
      >
        <Keyboard />
      </button>
    </nav>
  );
}

type RailItemProps = { view: View; current: boolean; waiting: number; halted: number };

function RailItem({ view, current, waiting, halted }: RailItemProps) {
  const count = waiting + halted;
  const said = strings.waiting(waiting, halted);
  // The number that is seen is part of the name.
  const key = useActions(({ actions }) => actions.find(({ id }) => id === `go.${view.id}`)?.keys?.[0]);
  const label = count > 0 ? `${view.label}: ${halted > 0 ? `${count}: ${said}` : said}` : view.label;
  return (
    <button
      type="button"
      className={cx(item, current && "bg-hover text-ink")}
      aria-label={label}
      aria-current={current ? "page" : undefined}
      title={key === undefined ? label : `${label} (${printedKeys(key)})`}
      onClick={() => go({ view: view.id })}
    >
      <view.icon />
      {count > 0 && (
        <span className="absolute -top-0.5 -right-0.5 min-w-4 rounded-full border border-transparent bg-accent px-[3px] text-center text-[10px] leading-3.5 font-semibold text-on-accent">
          {count > 99 ? "99+" : count}
        </span>
      )}
    </button>
  );
}
