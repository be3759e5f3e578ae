/** Commands as a person types them at a running console, and what they print. */
import { expect, vi } from "vitest";
import { runApprovals } from "../approvals.ts";
import { runServers } from "../servers.ts";
import { runThreads } from "../threads.ts";
import { Sink } from "./sink.ts";

/** @param dataDir of the console that is asked */
export function typeAt(dataDir: () => string) {
  async function type(
    run: typeof runApprovals,
    words: string[],
    [stdout, stderr] = [new Sink(), new Sink()],
  ) {
    const [command, ...rest] = words;
    const code = await run([command!, "--data-dir", dataDir(), ...rest], { stdout, stderr });
    return { code, out: stdout.text, err: stderr.text };
  }
  return {
    type,
    approvals: (...words: string[]) => type(runApprovals, words),
    servers: (...words: string[]) => type(runServers, words),
    threads: (...words: string[]) => type(runThreads, words),
    /** Answers once it follows; `end` is what it said until the turn was over. */
    async follow(...words: string[]) {
      const [stdout, stderr] = [new Sink(), new Sink()];
      const end = type(runThreads, ["follow", ...words], [stdout, stderr]);
      await vi.waitFor(() => expect(stderr.text).toContain("Following."));
      return { end };
    },
  };
}
