/** Views, search and filters of the queue. */

import { ChevronDown, ListFilter } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useMemo } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { useNow } from "../../base/clock.ts";
import { countWaiting } from "../../base/stores/waiting.ts";
import { lastSegment } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { SearchField, Select } from "../../ui/field.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Popover } from "../../ui/popover.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import {
  focusCurrentCard,
  noFilters,
  type QueueFilters,
  type QueueOrder,
  showView,
  useQueue,
} from "./queue-store.ts";
import { strings } from "./strings.ts";

const orders = Object.keys(strings.orders) as QueueOrder[];

/** What became of it, by a button each; in which order it stands, by one menu. So both find room beside the search. */
export function QueueToolbar({ pending }: { pending: readonly Approval[] }) {
  const view = useQueue((state) => state.view);
  const waitingOrder = useQueue((state) => state.waitingOrder);
  const search = useQueue((state) => state.filters.search);
  const now = useNow(10_000);
  const snoozed = useMemo(() => pending.length - countWaiting(pending, now), [pending, now]);
  const waits = view !== "snoozed" && view !== "decided";
  return (
    // Where one line has no room for them its parts stand in the two lines of the head: what became of it, then order and search.
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-[1023px]:contents max-[1023px]:*:order-3">
      <fieldset aria-label={strings.view} className="flex min-w-0 flex-wrap gap-0.5 max-[1023px]:order-1!">
        <ViewButton chosen={waits} onClick={() => showView(waitingOrder)}>
          {strings.views.waiting}
        </ViewButton>
        <ViewButton chosen={view === "snoozed"} onClick={() => showView("snoozed")}>
          {strings.views.snoozed} <Count of={snoozed} />
        </ViewButton>
        <ViewButton chosen={view === "decided"} onClick={() => showView("decided")}>
          {strings.views.decided}
        </ViewButton>
      </fieldset>
      {waits && (
        <Menu
          trigger={
            <Button
              small
              aria-label={strings.orderIs(strings.orders[view])}
              // Behind the search, where that has the line: it keeps its left edge when the order goes.
              className="h-7 max-[1023px]:order-4! [&_svg]:size-3.5"
            >
              {strings.orders[view]}
              <ChevronDown aria-hidden />
            </Button>
          }
          entries={() =>
            orders.map((order) => ({
              label: strings.orders[order],
              chosen: order === view,
              onSelect: () => showView(order),
            }))
          }
        />
      )}
      <span className="flex-1 max-[1023px]:order-2! max-[1023px]:basis-full" />
      <SearchField
        label={view === "decided" ? strings.searchLedger : strings.search}
        data-queue-search
        value={search}
        onChange={(event) => setFilter({ search: event.target.value })}
        onKeyDown={leadToCard}
        className="w-52 max-[1199px]:w-40 max-[1023px]:w-20 max-[1023px]:grow"
      />
      <Filters pending={pending} decided={view === "decided"} />
    </div>
  );
}

/** Says 0 as well, so that no button beside it moves when there is one; on the narrowest windows there is no room for that. */
function Count({ of: count }: { of: number }) {
  return (
    <span
      className={cx(
        "inline-block min-w-[2ch] text-left tabular-nums max-[600px]:min-w-0",
        count === 0 && "text-ink-3 max-[600px]:hidden",
      )}
    >
      {count}
    </span>
  );
}

type ViewButtonProps = { chosen: boolean; onClick: () => void; children: ReactNode };

function ViewButton({ chosen, onClick, children }: ViewButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onClick}
      className={cx(
        // Of one weight: chosen, a word would be wider and move its neighbours.
        "h-7 rounded-md px-2 text-sm font-medium transition-colors max-[400px]:px-1.5",
        chosen ? "bg-hover text-ink" : "text-ink-2 hover:bg-hover",
      )}
    >
      {children}
    </button>
  );
}

const leading = ["Enter", "ArrowDown", "Escape"];

/** These lead from what was written to what it found; Enter that ends the writing of a Chinese word does not. */
function leadToCard(event: KeyboardEvent): void {
  if (event.nativeEvent.isComposing || event.repeat) return;
  if (!leading.includes(event.key)) return;
  if (focusCurrentCard()) event.preventDefault();
}

const seenOptions = new Map(Object.entries(strings.seenOptions));

function setFilter(change: Partial<QueueFilters>): void {
  useQueue.setState(({ filters }) => ({ filters: { ...filters, ...change } }));
}

const ofWaiting = ["risk", "tool", "threadId", "workspace", "olderThan"] as const;
const ofDecided = ["seen"] as const;

/** One button at one place in every view, so that the search beside it stays where it is. */
function Filters({ pending, decided }: { pending: readonly Approval[]; decided: boolean }) {
  const filters = useQueue((state) => state.filters);
  const names: readonly ChoiceProps["name"][] = decided ? ofDecided : ofWaiting;
  const active = names.filter((name) => filters[name] !== noFilters[name]).length;
  const clear = Object.fromEntries(names.map((name) => [name, noFilters[name]])) as Partial<QueueFilters>;
  return (
    <Popover
      label={strings.filter}
      trigger={
        <Button small data-queue-filter className="h-7 max-[1023px]:order-5! [&_svg]:size-3.5">
          <ListFilter aria-hidden />
          <span className="max-[600px]:sr-only">{strings.filter}</span>
          {active > 0 && ` (${active})`}
        </Button>
      }
    >
      <div className="flex flex-col gap-2">
        {decided ? (
          <Choice label={strings.filterSeen} name="seen" options={seenOptions} />
        ) : (
          <WaitingChoices pending={pending} />
        )}
        <Button onClick={() => setFilter(clear)}>{strings.clearFilters}</Button>
      </div>
    </Popover>
  );
}

function WaitingChoices({ pending }: { pending: readonly Approval[] }) {
  const threads = new Map(pending.map((one) => [one.threadId as string, one.threadTitle]));
  const workspaces = new Map(pending.map((one) => [one.workspace, lastSegment(one.workspace)]));
  const tools = new Map(pending.map((one) => [one.tool, one.tool]));
  return (
    <>
      <Choice label={strings.filterRisk} name="risk" options={new Map(Object.entries(strings.risks))} />
      <Choice label={strings.filterTool} name="tool" options={tools} />
      <Choice label={strings.filterThread} name="threadId" options={threads} />
      <Choice label={strings.filterWorkspace} name="workspace" options={workspaces} />
      <Choice
        label={strings.filterAge}
        name="olderThan"
        options={new Map(Object.entries(strings.olderThan).filter(([key]) => key !== "any"))}
      />
    </>
  );
}

type ChoiceProps = {
  label: string;
  name: Exclude<keyof QueueFilters, "search">;
  options: ReadonlyMap<string, string>;
};

function Choice({ label, name, options }: ChoiceProps) {
  const value = useQueue((state) => state.filters[name]);
  return (
    <div className="flex items-center justify-between gap-2">
      <span className="text-sm text-ink-2">{label}</span>
      <Select
        label={label}
        className="w-40"
        value={value}
        onChange={(event) => setFilter({ [name]: event.target.value } as Partial<QueueFilters>)}
      >
        <option value="any">{strings.any}</option>
        {[...options].map(([key, text]) => (
          <option key={key} value={key}>
            {spellOut(text)}
          </option>
        ))}
      </Select>
    </div>
  );
}
