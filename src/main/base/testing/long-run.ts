/**
 * Whether this is the long run, `npm test -- --long`, which tries every case. The short run takes some of those that are
 * alike, and leaves out what another test holds at less cost; scripts/testing/allowed-skips.json lists it as `short`.
 */
export const isLongRun = process.env.COUNTERSIGN_LONG === "1";

/** Why the short run leaves a test out. */
export const whyShort = "It is left to the long run, npm test -- --long.";

/** Of so many runs of a property the short run makes a third: most of them draw other values each time. */
export function runsOf(inLongRun: number): number {
  return isLongRun ? inLongRun : Math.ceil(inLongRun / 3);
}
