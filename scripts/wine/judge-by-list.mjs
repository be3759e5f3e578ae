/** Tells a failure under Wine that has a reason of Wine's, which is written down, from one that counts. */
import { judgeSkips, reasonToSkip } from "../testing/allowed-skips.mjs";

/**
 * @param lists `wine`: what may fail here; `win32`: what leaves itself out on Windows.
 * @returns `judged`: the tests, Wine's failures turned into skips and unlisted skips into failures; `allowedBy`: the
 * names of those left out by reason; `passing`: those that Wine's list names although they pass.
 */
export function judgeByList(tests, { wine, win32 }) {
  const isWines = (test) => reasonToSkip(wine, test) !== undefined;
  const asSkips = tests.map((test) =>
    test.status === "failed" && isWines(test) ? { ...test, status: "skipped" } : test,
  );
  const passing = tests
    .filter((test) => test.status === "passed" && isWines(test))
    .map(({ file, name }) => `${file} > ${name}`);
  return { ...judgeSkips(asSkips, [...wine, ...win32]), passing };
}
