/** Stands in the place of `file-beside` in unit tests: what runs in a thread or process of its own is there as it is shipped. */

const folder = new URL("../../../../.cache/test/workers/", import.meta.url);

/** @returns what `scripts/testing/bundle-workers.mjs` made at the start of the run. */
export function fileBeside(_moduleUrl: string, name: `${string}.js`): URL {
  return new URL(name, folder);
}
