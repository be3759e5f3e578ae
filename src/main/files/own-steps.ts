/** Remembers which content the app itself turned into which, so that a change shown on the one can be made on the other. */

type Step = {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
};

/** In memory only: after a restart a change that was shown on older content is simply asked about again. */
const steps: Step[] = [];
const mostSteps = 1_000;

/**
 * Writes down that an approved or covered change turns one content of the file into another; both as hashes.
 * @returns takes that back, for a change that came to nothing
 */
export function noteOwnStep(path: string, from: string | null, to: string | null): () => void {
  const step = { path, from, to };
  steps.push(step);
  if (steps.length > mostSteps) steps.shift();
  return () => {
    const index = steps.indexOf(step);
    if (index >= 0) steps.splice(index, 1);
  };
}

/** Whether nothing but changes of the app itself lie between two contents of a file. */
export function isOwnWay(path: string, from: string | null, to: string | null): boolean {
  let at = from;
  for (const step of steps) if (step.path === path && step.from === at) at = step.to;
  return at === to;
}
