/** Remembers which content the app itself turned into which, so that a change shown on the one can be made on the other. */

type Step = {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
};

/** In memory only: after a restart a change that was shown on older content is simply asked about again. */
const steps: Step[] = [];
const mostSteps = 1_000;

/** Writes down that an approved or covered change turned one content of the file into another; both as hashes. */
export function noteOwnStep(path: string, from: string | null, to: string | null): void {
  steps.push({ path, from, to });
  if (steps.length > mostSteps) steps.shift();
}

/** Whether nothing but changes of the app itself lie between two contents of a file. */
export function isOwnWay(path: string, from: string | null, to: string | null): boolean {
  let at = from;
  for (const step of steps) if (step.path === path && step.from === at) at = step.to;
  return at === to;
}
