/** Says how deep data is nested without ever calling itself: what is too deep would end the stack of whoever does. */

/** Deeper arguments mean nothing to any tool; reading, comparing and storing them takes a stack that has an end. */
export const deepestArguments = 100;

/** Whether a value as JSON gives it is nested deeper than `deepest`. */
export function isDeeperThan(value: unknown, deepest: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return true;
    level = level.flatMap((each) =>
      typeof each === "object" && each !== null
        ? Object.values(each).filter((below) => typeof below === "object" && below !== null)
        : [],
    );
  }
  return false;
}
