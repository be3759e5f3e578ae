/** The one registry of what a person can do by key; the keys, the key sheet and the palette all read it. */
import { create } from "zustand";

export type Action = {
  id: string;
  label: string;
  /** Heading it stands under in the key sheet and the palette. */
  section: string;
  /** tinykeys patterns, such as `j`, `Shift+y`, `g q`, `$mod+k`. */
  keys?: readonly string[];
  /** Offered only while this holds; the first action of a key that holds wins. */
  when?: () => boolean;
  /** The event is absent when it is run from the palette. */
  run: (event?: KeyboardEvent) => void;
  /** Decides something: ignored on key repeat and just after typing in a text field. */
  guarded?: boolean;
  /** Called in place of `run` when a guarded key came just after typing, so that it is not swallowed without a word. */
  onTypedJustNow?: () => void;
  /** Also works while a text field has the focus; such keys need a modifier or be `Escape`. */
  inTextFields?: boolean;
  /** Left out of the palette, such as moving by one. */
  hidden?: boolean;
};

export const useActions = create<{ actions: readonly Action[] }>(() => ({ actions: [] }));

/** Adds actions. @returns a function that takes them out again. */
export function registerActions(added: readonly Action[]): () => void {
  useActions.setState(({ actions }) => ({ actions: [...actions, ...added] }));
  return () =>
    useActions.setState(({ actions }) => ({ actions: actions.filter((one) => !added.includes(one)) }));
}
