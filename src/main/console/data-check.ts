/** When the databases are read in full: once a while after the start, and whenever a person asks. */
import type { DataCheckItem } from "../../shared/contract/console.ts";
import { type DataInspector, describeDamage } from "../storage/data-inspector.ts";
import type { CheckStep } from "../storage/probe-messages.ts";
import { createPulse } from "./pulse.ts";

/** After the start and what it began have come to rest. */
export const defaultCheckAfterMs = 60_000;

/**
 * Checks once, later, and says something only when there is damage.
 * @returns a function that forgets about it; a check under way ends with the inspector.
 */
export function checkLater(
  inspector: DataInspector,
  dataDir: string,
  afterMs: number,
  listeners: { onDamage(advice: string): void; onError(error: unknown): void },
): () => void {
  const leaving = new AbortController();
  const timer = setTimeout(() => {
    inspector
      .check(() => undefined, leaving.signal)
      .then(
        (checks) => {
          const advice = describeDamage(checks, dataDir);
          if (advice !== undefined && !leaving.signal.aborted) listeners.onDamage(advice);
          for (const { state, name } of checks)
            if (state === "unread") listeners.onError(new Error(`${name} could not be checked`));
        },
        (error: unknown) => {
          if (!leaving.signal.aborted) listeners.onError(error);
        },
      );
  }, afterMs);
  timer.unref();
  return () => {
    clearTimeout(timer);
    leaving.abort(new Error("The app is closing."));
  };
}

/** The check as a person watches it: what is being read, and in the end what was found. */
export async function* watchCheck(
  inspector: DataInspector,
  dataDir: string,
  signal: AbortSignal,
): AsyncGenerator<DataCheckItem> {
  const steps: CheckStep[] = [];
  const pulse = createPulse(0);
  let over = false;
  const onStep = ({ name, bytes, step, of }: CheckStep) => {
    steps.push({ name, bytes, step, of });
    pulse.beat();
  };
  const checking = inspector.check(onStep, signal);
  const end = () => {
    over = true;
    pulse.beat();
  };
  checking.then(end, end);
  while (!signal.aborted && (!over || steps.length > 0)) {
    for (let step = steps.shift(); step; step = steps.shift()) yield { kind: "checking", ...step };
    if (!over) await pulse.next(signal);
  }
  const checks = await checking;
  yield { kind: "checked", checks, advice: describeDamage(checks, dataDir) };
}
