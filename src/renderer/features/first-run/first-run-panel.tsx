/** The first steps and the tour, beside the queue and never over it; the steps only where nobody has done anything yet. */
import { lazyPart } from "../../base/load-code.ts";
import { useSettings } from "../../base/stores/settings-store.ts";
import { useThreads } from "../../base/stores/threads-store.ts";

const FirstSteps = lazyPart(() => import("./first-steps.tsx"));
const TourCoach = lazyPart(() => import("./tour-coach.tsx"));

import { useTour } from "./tour-store.ts";

/** Shown until the steps were taken or skipped, and only while there is no thread. Suspends while its code comes. */
export function FirstRunPanel() {
  const done = useSettings((state) => state.settings.firstRunDone);
  const fresh = useThreads((state) => state.byId.size === 0);
  const tour = useTour((state) => state.threadId);
  if (tour) return <TourCoach threadId={tour} />;
  if (done || !fresh) return null;
  return <FirstSteps />;
}
