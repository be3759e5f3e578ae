/** The time since something began. Its own component, so that a second that passes draws these few letters and nothing else. */
import { useNow } from "../base/clock.ts";
import { formatElapsed } from "../base/words.ts";

export function Elapsed({ since }: { since: number }) {
  return formatElapsed(useNow(1_000) - since);
}
