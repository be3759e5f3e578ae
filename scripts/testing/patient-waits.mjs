/**
 * Set-up of every vitest project: what waits for a condition waits until it holds, and gives up only when it hangs. A file
 * that leaves a clock of its own behind fails, since the files after it in the same process would wait by that clock.
 */
import { afterAll, vi } from "vitest";
import { hangGuardMs } from "../../src/shared/testing/hang-guard.ts";

const patient = Symbol.for("countersign.patient-waits");

// Files share their modules where they are not isolated; one wrapping is enough. The runner's own limit is one second.
if (!(patient in vi)) {
  const { waitFor, waitUntil } = vi;
  vi.waitFor = (callback, options) => waitFor(callback, { ...options, timeout: hangGuardMs });
  vi.waitUntil = (callback, options) => waitUntil(callback, { ...options, timeout: hangGuardMs });
  Object.defineProperty(vi, patient, { value: true });
}

afterAll(() => {
  if (!vi.isFakeTimers()) return;
  vi.useRealTimers();
  throw new Error(
    "The clock of a test is still in the place of the real one: call vi.useRealTimers() when it ends.",
  );
});
