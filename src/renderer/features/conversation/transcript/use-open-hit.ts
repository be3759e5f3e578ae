/** Goes to the message a hit of the thread search is about, once its thread is there. */
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import type { ThreadId } from "../../../../shared/ids.ts";
import { useOpenedHit } from "../../../base/stores/opened-hit.ts";
import { describeError } from "../../../base/words.ts";
import { showProblem } from "../../../ui/toast.tsx";
import { strings } from "../strings.ts";
import type { TranscriptStore } from "./transcript-store.ts";
import { showItem } from "./transcript-window.ts";

/** @returns whether the thread is being opened at a hit; its end is not shown before that. */
export function useOpenHit(threadId: ThreadId, store: TranscriptStore): boolean {
  const hit = useOpenedHit((state) => (state.hit?.threadId === threadId ? state.hit : undefined));
  const isReady = useStore(store, (state) => state.status === "ready");
  const [opening, setOpening] = useState(hit !== undefined);
  useEffect(() => {
    if (!hit || !isReady) return;
    showItem(store, threadId, hit, "open")
      .then((isThere) => {
        if (!isThere) showProblem(strings.messageGone);
      })
      .catch((error) => showProblem(strings.failedToOpen, describeError(error)))
      .finally(() => {
        useOpenedHit.setState((state) => (state.hit === hit ? { hit: undefined } : state));
        setOpening(false);
      });
  }, [hit, isReady, store, threadId]);
  return opening;
}
