/** Lets acts that must not overlap wait for each other. */

/** Runs one act after the other; a failed one does not hold up the next. */
export function oneByOne() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(act: () => Promise<T>): Promise<T> => {
    const mine = last.then(act, act);
    last = mine.catch(() => {});
    return mine;
  };
}
