/** What came onto the screen since the person asked to read on, for who hears it. */
import { useProgress } from "./read-progress.ts";

export function Heard() {
  const heard = useProgress((state) => state.heard);
  return (
    <p aria-live="polite" className="sr-only whitespace-pre-line">
      {heard}
    </p>
  );
}
