/** Keeps a list as it was while the same stand in it in the same order: ten thousand rows are not made anew because time passed. */
import { useState } from "react";

export function useSameList<T>(list: readonly T[]): readonly T[] {
  const [kept, setKept] = useState(list);
  const same = kept.length === list.length && kept.every((one, at) => one === list[at]);
  if (same) return kept;
  setKept(list);
  return list;
}
