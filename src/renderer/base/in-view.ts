/** Tells the host while a person has this window in view, so that what is asked elsewhere is asked for more often. */
import type { Client } from "./client.ts";
import { followStream } from "./follow-stream.ts";

/** @returns a function that ends it. */
export function followInView(client: Client): () => void {
  let viewing: AbortController | undefined;
  const end = () => {
    viewing?.abort();
    viewing = undefined;
  };
  const update = () => {
    if (document.visibilityState !== "visible") return end();
    if (viewing) return;
    viewing = new AbortController();
    void followStream(
      client,
      "console.inView",
      () => ({}),
      () => undefined,
      viewing.signal,
    );
  };
  update();
  document.addEventListener("visibilitychange", update);
  return () => {
    document.removeEventListener("visibilitychange", update);
    end();
  };
}
