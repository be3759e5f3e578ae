/** How the app ends: the person is asked while commands run, and the host is closed before any window goes. */
import { app, type BrowserWindow, dialog } from "electron";
import type { Host } from "../host/host.ts";
import { describeCommands } from "./describe-commands.ts";

/** A close that hangs must not keep the app alive: everything that matters is committed already. */
const maxCloseMs = 8_000;

export type Ending = {
  /** Whether a question is open. */
  isAsking(): boolean;
  /** Whether the app is on its way out: windows may go, and none comes back. */
  isUnderway(): boolean;
  /** Ends without a question, for when nobody can answer one. `quit()` of the app asks. */
  endNow(): void;
};

type EndingParts = {
  window: BrowserWindow;
  host: Pick<Host, "runningCommands" | "close">;
  /** Takes away what a person could still click. */
  onEnding: () => void;
};

/** From here on every `app.quit()` waits for the host to close. */
export function createEnding({ window, host, onEnding }: EndingParts): Ending {
  let state: "open" | "asking" | "closing" | "closed" = "open";
  let question = new AbortController();

  async function ask(): Promise<void> {
    const commands = host.runningCommands();
    if (commands.length === 0) return end();
    state = "asking";
    question = new AbortController();
    const mayEnd = await askToEnd(window, commands, question.signal);
    // While the question was open, somebody may have decided without it.
    if (state !== "asking") return;
    state = "open";
    if (mayEnd) await end();
  }

  async function end(): Promise<void> {
    if (state === "closing" || state === "closed") return;
    state = "closing";
    question.abort();
    const timedOut = new Promise((resolve) => setTimeout(resolve, maxCloseMs));
    await Promise.race([close(), timedOut]).catch((error: unknown) =>
      console.error("The host did not close cleanly:", error),
    );
    state = "closed";
    app.quit();
  }

  async function close(): Promise<void> {
    try {
      onEnding();
    } finally {
      await host.close();
    }
  }

  /** A question that cannot be put must not keep the app from ending. */
  function endAfterFailure(error: unknown): void {
    console.error("Nobody could be asked before the end:", error);
    void end();
  }

  app.on("before-quit", (event) => {
    if (state === "closed") return;
    event.preventDefault();
    if (state === "open") ask().catch(endAfterFailure);
  });
  return {
    isAsking: () => state === "asking",
    isUnderway: () => state === "closing" || state === "closed",
    endNow: () => void end(),
  };
}

/** @returns whether the person wants to end although commands run. */
async function askToEnd(window: BrowserWindow, commands: string[], signal: AbortSignal): Promise<boolean> {
  const question = {
    type: "warning" as const,
    ...describeCommands(commands),
    buttons: ["Wait", "Quit"],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
    signal,
  };
  // A sheet on a window that nobody sees would not be seen either.
  const isSeen = !window.isDestroyed() && window.isVisible() && !window.isMinimized();
  const { response } = await (isSeen
    ? dialog.showMessageBox(window, question)
    : dialog.showMessageBox(question));
  return response === 1;
}
