/** Binds the keys of all registered actions to the window, with the guards that keep a stray key from deciding anything. */
import { createKeybindingsHandler } from "tinykeys";
import { type Action, useActions } from "./actions.ts";
import { asMeant } from "./key-layout.ts";
import { useSettings } from "./stores/settings-store.ts";

const typingGuardMs = 2_000;
/** Who types makes shorter pauses between two letters. */
const typingPauseMs = 700;
let lastTypedAt = Number.NEGATIVE_INFINITY;
/** When the window came to the front: what is typed on may be meant for the one that was there before. */
let returnedAt = Number.NEGATIVE_INFINITY;
/** What has the focus, as long as it was not sent. */
let focused: EventTarget | null = null;
/** A field left the page while it had the focus: the next letter is meant for it, however long the person thought. */
let hasLostField = false;

/** @returns a function that unbinds everything. */
export function startKeys(): () => void {
  const noteTyping = (event: Event) => {
    if (isTextField(event.target)) lastTypedAt = performance.now();
  };
  // A field may leave the page under the hands: what is typed on is meant for it.
  const noteTypingOn = ({ key, target }: KeyboardEvent) => {
    const now = performance.now();
    const typedAt = Math.max(lastTypedAt, returnedAt);
    hasLostField ||= isLostField(focused);
    // By these the person ends what they wrote, and the field may leave for it.
    if (key === "Enter" || key === "Escape") focused = null;
    if (key.length !== 1 || isTextField(target)) return;
    if (hasLostField || now - typedAt < typingPauseMs) lastTypedAt = now;
    hasLostField = false;
    focused = null;
  };
  const noteFocus = ({ target }: FocusEvent) => {
    hasLostField ||= isLostField(focused);
    focused = target;
  };
  // A browser may tell it also of what leaves the page; only afterwards that is known.
  const noteLeft = ({ target }: FocusEvent) =>
    queueMicrotask(() => {
      if (focused === target && !isLostField(target)) focused = null;
    });
  const noteReturn = () => {
    if (document.visibilityState === "visible") returnedAt = performance.now();
  };
  // A button is pressed once by it: each of the clicks that a browser goes on making would be a press of its own.
  const keepHeldEnter = (event: KeyboardEvent) => {
    if (event.key === "Enter" && event.repeat && !(event.target instanceof HTMLTextAreaElement))
      event.preventDefault();
  };
  forgetTyping();
  window.addEventListener("keydown", keepHeldEnter, true);
  document.addEventListener("input", noteTyping, true);
  document.addEventListener("keydown", noteTypingOn, true);
  document.addEventListener("focusin", noteFocus);
  document.addEventListener("focusout", noteLeft);
  window.addEventListener("focus", noteReturn);
  document.addEventListener("visibilitychange", noteReturn);
  let unbind = bind(useActions.getState().actions);
  const stop = useActions.subscribe(({ actions }) => {
    unbind();
    unbind = bind(actions);
  });
  return () => {
    window.removeEventListener("keydown", keepHeldEnter, true);
    document.removeEventListener("input", noteTyping, true);
    document.removeEventListener("keydown", noteTypingOn, true);
    document.removeEventListener("focusin", noteFocus);
    document.removeEventListener("focusout", noteLeft);
    window.removeEventListener("focus", noteReturn);
    document.removeEventListener("visibilitychange", noteReturn);
    stop();
    unbind();
  };
}

/** Ends the time after typing in which keys decide nothing: what was typed has been sent. */
export function forgetTyping(): void {
  lastTypedAt = Number.NEGATIVE_INFINITY;
  returnedAt = Number.NEGATIVE_INFINITY;
  focused = null;
  hasLostField = false;
}

function isLostField(element: EventTarget | null): boolean {
  return isTextField(element) && element instanceof Node && !element.isConnected;
}

function bind(actions: readonly Action[]): () => void {
  const byKey = new Map<string, Action[]>();
  for (const action of actions) {
    for (const key of action.keys ?? []) byKey.set(key, [...(byKey.get(key) ?? []), action]);
  }
  const bindings: Record<string, (event: KeyboardEvent) => void> = {};
  let isComplete = false;
  // tinykeys ends with the first binding that is complete: without sequences in front, `g s` would be `s`.
  const presses = (key: string) => key.split(" ").length;
  const sequencesFirst = [...byKey].sort(([one], [other]) => presses(other) - presses(one));
  for (const [key, candidates] of sequencesFirst) {
    // An object has its whole numbers first, so that `1` would stand before `g 1`; a blank in front makes it a word.
    bindings[` ${key}`] = (event) => {
      isComplete = true;
      const action = candidates.find((one) => isOffered(one, key, event));
      if (!action) return;
      event.preventDefault();
      if (action.guarded && performance.now() - lastTypedAt < typingGuardMs) action.onTypedJustNow?.();
      else action.run(event);
    };
  }
  const begin = () => createKeybindingsHandler(bindings, { ignore: (event) => event.defaultPrevented });
  let handle = begin();
  const onKeyDown = (event: KeyboardEvent) => {
    isComplete = false;
    handle(asMeant(event));
    // Sequences that the finished one left half typed would swallow the first press of the next: its last would stand alone.
    if (isComplete) handle = begin();
  };
  window.addEventListener("keydown", onKeyDown);
  return () => window.removeEventListener("keydown", onKeyDown);
}

function isOffered(action: Action, key: string, event: KeyboardEvent): boolean {
  const bare = !/\$mod|Control|Alt|Meta|Escape|Arrow|Enter/.test(key);
  if (bare && !useSettings.getState().settings.singleKeys) return false;
  if (isTextField(event.target) && !action.inTextFields) return false;
  if (isInModal(event.target) && !action.inTextFields) return false;
  if (action.guarded && event.repeat) return false;
  return action.when?.() ?? true;
}

/** Whether what is typed goes into this element. */
export function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(target.type);
}

/** Whether the element stands in something that closes by `Escape` and gives the focus back itself. */
export function isInModal(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('[role="dialog"],[role="alertdialog"],[role="menu"]') !== null
  );
}

/** Keeps the keys of compositions from everything in the page but the input method. @returns a function that ends it. */
export function keepCompositions(): () => void {
  // Some systems report the key that ends a composition as 229, after `isComposing` has gone.
  const keep = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
  };
  window.addEventListener("keydown", keep, true);
  return () => window.removeEventListener("keydown", keep, true);
}
