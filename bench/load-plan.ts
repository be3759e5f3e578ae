/** The load both sides carry: who streams, who waits, and how often a decision falls. */

export const streaming = 50;
export const waitingThreads = 50;
export const callsPerWaitingThread = 10;
export const decisionsPerSecond = 20;
/** Model calls at once on both sides; the other threads take turns. Twice the default of the settings. */
export const maxActiveRuns = 16;

/** Enough for the longest run; a thread that came to its end would no longer be load. */
const streamingSteps = 60;
/** Each decided batch of calls is followed by the next one, so that the queue stays full. */
const waitingSteps = 12;
const sentence = "I look at the next part of the file now and count where the name is used in it.";
/** 85 words: at the demo model's pace, 1.3 seconds of streaming before each command. */
const spoken = Array.from({ length: 5 }, () => sentence).join(" ");

/** Streams a sentence and runs a command that needs nobody's approval, over and over. */
export function streamingMessage(): string {
  return Array.from(
    { length: streamingSteps },
    (_, step) => `say ${spoken} ${step}\nrun grep -c name notes.txt`,
  ).join("\n\n");
}

/** Commands that wait for a person; bash itself prints when it began, in seconds with six decimals. */
export function waitingMessage(calls = callsPerWaitingThread): string {
  const lines = Array.from({ length: calls }, (_, call) => `run echo "began ${call} $EPOCHREALTIME"`);
  return Array.from({ length: waitingSteps }, () => lines.join("\n")).join("\n\n");
}

/** @returns milliseconds since 1970 at which the command began, or `undefined` when the result is none of ours. */
export function readBegin(result: string): number | undefined {
  const found = /began \d+ (\d+)[.,](\d{6})/.exec(result);
  return found ? Number(found[1]) * 1e3 + Number(found[2]) / 1e3 : undefined;
}
