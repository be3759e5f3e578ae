/** What is typed while an input method composes a character belongs to it: its Enter sends nothing, its Escape closes nothing. */

/** Keeps the keys of compositions from everything in the page but the input method. @returns a function that ends it. */
export function keepCompositions(): () => void {
  // Some systems report the key that ends a composition as 229, after `isComposing` has gone.
  const keep = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
  };
  window.addEventListener("keydown", keep, true);
  return () => window.removeEventListener("keydown", keep, true);
}
