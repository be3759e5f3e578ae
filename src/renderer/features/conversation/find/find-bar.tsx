/** The bar that finds text in the open thread: a field, where one is among what was found, and the way on and back. */
import { ChevronDown, ChevronUp, Search, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { ThreadId } from "../../../../shared/ids.ts";
import { IconButton } from "../../../ui/button.tsx";
import { spellOut } from "../../../ui/reveal-characters.ts";
import { useConversation, useTranscript } from "../conversation-context.ts";
import { strings } from "../strings.ts";
import { shownPart, type TranscriptStore } from "../transcript/transcript-store.ts";
import { closeFind, findPlaces, openFind, stepFind, useFind } from "./find-store.ts";

const pauseMs = 150;
/** What happens in the thread is looked through once it is quiet for this long. */
const quietMs = 1_000;

export function FindBar() {
  const { threadId } = useConversation();
  return useFind((state) => state.threadId === threadId) ? <OpenFindBar /> : null;
}

function OpenFindBar() {
  const { threadId, store } = useConversation();
  const field = useFieldThatIsAskedFor();
  const query = useFind((state) => state.query);
  useAnswers();
  const step = (by: 1 | -1) => void stepFind(threadId, store, by);
  const close = () =>
    closeFind(() => field.current?.closest("section")?.querySelector('[role="log"]') ?? null);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Enter" && event.target === field.current) step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <form
      aria-label={strings.find.open}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={onKeyDown}
      className="absolute top-2 right-4 z-10 flex max-w-[calc(100%-32px)] items-center gap-1 rounded-lg border border-line bg-raised py-1 pr-1 pl-2.5 shadow-pop has-[input:focus]:border-ink"
    >
      <Search aria-hidden className="size-3.5 shrink-0 text-ink-3" />
      <input
        ref={field}
        aria-label={strings.find.open}
        placeholder={strings.find.placeholder}
        value={query}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => useFind.setState({ query: event.target.value })}
        className="h-7 w-52 min-w-24 flex-1 rounded-sm bg-transparent px-1 outline-none"
      />
      <Count />
      <Steps onStep={step} />
      <IconButton label={strings.find.close} onClick={close}>
        <X />
      </IconButton>
    </form>
  );
}

function Steps({ onStep }: { onStep: (by: 1 | -1) => void }) {
  const nothing = useFind((state) => !state.found || state.found.places.length === 0);
  return (
    <>
      <IconButton label={strings.find.previous} disabled={nothing} onClick={() => onStep(-1)}>
        <ChevronUp />
      </IconButton>
      <IconButton label={strings.find.next} disabled={nothing} onClick={() => onStep(1)}>
        <ChevronDown />
      </IconButton>
    </>
  );
}

function Count() {
  const { query, found, current, problem } = useFind();
  const { find } = strings;
  let words = "";
  if (problem) words = find.failed;
  else if (query.trim() !== "" && found?.query !== query.trim()) words = found ? "" : find.searching;
  else if (found)
    words =
      found.places.length === 0 ? find.none : find.count(current + 1, found.places.length, found.complete);
  return (
    <span
      role="status"
      title={
        problem
          ? spellOut(problem)
          : found?.complete === false
            ? find.onlyNewest(found.places.length)
            : undefined
      }
      className="min-w-20 px-1 text-right text-sm whitespace-nowrap text-ink-2 tabular-nums"
    >
      {words}
    </span>
  );
}

/** Takes the focus, with its text selected, each time the bar is asked for. */
function useFieldThatIsAskedFor() {
  const field = useRef<HTMLInputElement>(null);
  const asked = useFind((state) => state.asked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again each time the bar is asked for
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [asked]);
  return field;
}

/** Asks the host as the person types, and again when the thread has grown. */
function useAnswers(): void {
  const { threadId, store } = useConversation();
  const query = useFind((state) => state.query.trim());
  const seq = useTranscript((state) => state.seq);
  useEffect(() => {
    const timer = setTimeout(() => void findPlaces(threadId, store, true), query === "" ? 0 : pauseMs);
    return () => clearTimeout(timer);
  }, [threadId, store, query]);
  const seen = useRef(seq);
  useEffect(() => {
    if (seen.current === seq) return;
    const timer = setTimeout(() => {
      seen.current = seq;
      void findPlaces(threadId, store, false);
    }, quietMs);
    return () => clearTimeout(timer);
  }, [threadId, store, seq]);
}

const longestQuery = 200;

/** @param log the element that shows the transcript. */
export function findFromHere(threadId: ThreadId, store: TranscriptStore, log: Element | null): void {
  openFind(threadId, log ? positionInView(store, log) : 0, log ? selectedIn(log) : "");
}

/** Whether keys may open it: not while a dialog asks for something else. */
export function canFind(): boolean {
  return document.querySelector('[role="dialog"],[role="alertdialog"]') === null;
}

function positionInView(store: TranscriptStore, log: Element): number {
  const { items } = shownPart(store.getState());
  const { top } = log.getBoundingClientRect();
  for (const row of log.querySelectorAll<HTMLElement>("[data-item]")) {
    const item = items.get(row.dataset.item ?? "");
    const place = row.getBoundingClientRect();
    if (item && place.height > 0 && place.bottom > top) return item.position;
  }
  return Number.MAX_SAFE_INTEGER;
}

/** One line that is selected in the transcript is most likely what is sought. */
function selectedIn(log: Element): string {
  const selection = getSelection();
  const text = selection?.toString().trim() ?? "";
  const isHere = selection?.anchorNode && log.contains(selection.anchorNode);
  return isHere && !text.includes("\n") && text.length <= longestQuery ? text : "";
}
