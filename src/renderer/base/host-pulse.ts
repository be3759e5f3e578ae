/** Notices within seconds that a connected host does not answer: a frozen process keeps its connection open. */
import type { Client } from "../../shared/wire/client.ts";

const askEveryMs = 5_000;
const patienceMs = 3_000;

/**
 * Asks the host for something small again and again while `isOnline`.
 * @param tell hears `true` when an answer is overdue, and `false` when it came after all.
 * @returns a function that ends it.
 */
export function followPulse(
  client: Pick<Client, "call">,
  isOnline: () => boolean,
  tell: (isSilent: boolean) => void,
): () => void {
  let waiting = false;
  let overdue: ReturnType<typeof setTimeout> | undefined;
  const answered = () => {
    waiting = false;
    clearTimeout(overdue);
    tell(false);
  };
  const timer = setInterval(() => {
    if (waiting || !isOnline()) return;
    waiting = true;
    overdue = setTimeout(() => tell(true), patienceMs);
    // A refusal is an answer too; a lost connection has words of its own.
    client.call("settings.get", {}).then(answered, answered);
  }, askEveryMs);
  return () => {
    clearInterval(timer);
    clearTimeout(overdue);
  };
}
