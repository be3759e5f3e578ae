/** An outer agent that runs: its process with an open session, one prompt at a time. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Attachment } from "../../../shared/contract/threads.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { messageOf } from "../../../shared/message-of.ts";
import { shortenText } from "../../../shared/wire/shorten.ts";
import { TurnStopped } from "../../gate/run-context.ts";
import { type AgentProgram, type ProcessParts, startAgentProcess } from "./agent-process.ts";
import type { Heard, OpenSession } from "./connection.ts";
import type { Governing } from "./governing.ts";
import type { Kept } from "./kept-session.ts";
import { wantsSignIn } from "./protocol-error.ts";
import type { Chosen } from "./session-options.ts";
import type { SignIn } from "./sign-in.ts";
import { untilAborted } from "./until-aborted.ts";

export type LiveAgent = {
  session: OpenSession;
  isGone(): boolean;
  /**
   * Sends a message and hears the agent until its turn is over. @returns why it stopped.
   * @throws TurnStopped when it fails or ends, what a listener throws, or the signal's reason
   */
  prompt(
    heard: Heard,
    message: { text: string; attachments: readonly Attachment[] },
    signal: AbortSignal,
  ): Promise<string>;
  end(): Promise<void>;
};

export type StartParts = Pick<ProcessParts, "environment" | "guard"> & {
  program: AgentProgram;
  /** The same as it is run confined; else it is run as it is. */
  confined: AgentProgram | undefined;
  threadId: ThreadId;
  /** The session to go on with. */
  earlier: string | undefined;
  /** Set where its own tools are switched off and ours are handed to it. */
  governing: Governing | undefined;
  /** What of it was chosen, by the person or since it is governed. */
  chosen: Chosen;
  onStarted(process: NonNullable<Kept["process"]>): void;
  /** Hears what it tells while it has no prompt. */
  atRest: Heard["onUpdate"];
  /** Who is asked where somebody has to sign in first. */
  signIn: SignIn | undefined;
  /** Ends the opening. */
  signal: AbortSignal;
};

/** All it may say in one turn, protocol and all. */
const mostTurnBytes = 64 * 1024 * 1024;
/** How long an agent that was told to stop may take to say that it did; then it is ended all the same. */
const cancelMs = 500;

/** @throws TurnStopped that says why it could not be started, or the signal's reason; nothing is left running then. */
export async function startAgent(parts: StartParts): Promise<LiveAgent> {
  const { program, threadId, earlier, governing, chosen, signIn, onStarted, signal } = parts;
  // The protocol's package is read with the first agent, so that nobody pays for it who has none.
  const { linkTo } = await import("./connection.ts");
  signal.throwIfAborted();
  const marker = `outer-${threadId}-${randomUUID()}`;
  const process = await startAgentProcess(parts.confined ?? program, processOf(parts, marker)).catch(
    (error: unknown) => {
      throw new TurnStopped("failed", messageOf(error));
    },
  );
  const { executionId, pid, startTime } = process.root;
  onStarted({ executionId, pid, startTime });
  let heard: Heard | undefined;
  let gone: string | undefined;
  const ended = process.ended.then((how) => {
    gone = how;
    throw endedBy(how);
  });
  ended.catch(() => undefined);
  const endedBy = (how: string) =>
    new TurnStopped("failed", `${program.command} ended: ${shortenText(how, 2_000)}`);
  const link = linkTo(process, () => heard, parts.atRest);
  async function explainFailure(error: unknown): Promise<TurnStopped> {
    if (error instanceof TurnStopped) return error;
    if (process.saidTooMuch()) return new TurnStopped("failed", `${program.command} said too much at once.`);
    if (!link.isClosed()) return new TurnStopped("failed", explain(program.command, error));
    const fault = link.fault();
    // It closed its output, mostly since it ended: then it is soon known how.
    await process.end();
    return fault === undefined
      ? endedBy(await process.ended)
      : new TurnStopped("failed", `${program.command} was ended: ${shortenText(fault, 2_000)}`);
  }

  let session: OpenSession;
  try {
    session = await untilAborted(
      Promise.race([
        link.open(program.cwd, earlier, { mcpServers: [], ...governing, chosen, signIn }),
        ended,
      ]),
      signal,
    );
  } catch (error) {
    const why = signal.aborted ? signal.reason : await explainFailure(error);
    await process.end();
    throw why;
  }

  return {
    session,
    // One that closed its output and lives on is of no use any more.
    isGone: () => gone !== undefined || link.isClosed() || process.hasExited(),
    end: process.end,
    async prompt(listener, { text, attachments }, signal) {
      const { promise: stopped, reject: stop } = Promise.withResolvers<never>();
      heard = endingBy(listener, stop);
      const onAbort = () => stop(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) onAbort();
      const prompted = link.prompt(session.sessionId, text, attachments);
      try {
        return await Promise.race([prompted, ended, stopped]);
      } catch (error) {
        if (gone === undefined) {
          await link.cancel(session.sessionId);
          await Promise.race([prompted.catch(() => undefined), delay(cancelMs, undefined, { ref: false })]);
        }
        if (signal.aborted) throw signal.reason;
        throw await explainFailure(error);
      } finally {
        heard = undefined;
        signal.removeEventListener("abort", onAbort);
      }
    },
  };
}

/** What cannot be drawn or asked any more, or a person's stop, ends the turn and not this one message. */
function endingBy(listener: Heard, stop: (error: unknown) => void): Heard {
  return {
    onUpdate: (told) => attempt(() => listener.onUpdate(told), stop),
    onRequest: (asked, withdrawn) =>
      listener.onRequest(asked, withdrawn).catch((error: unknown) => {
        stop(error);
        return { outcome: { outcome: "cancelled" } };
      }),
    onElicitation: (asked, withdrawn) =>
      listener.onElicitation(asked, withdrawn).catch((error: unknown) => {
        stop(error);
        return { action: "cancel" };
      }),
    onSignIn: listener.onSignIn,
  };
}

function processOf({ environment, governing, guard }: StartParts, marker: string): ProcessParts {
  const variables = { ...environment, ...governing?.environment };
  return { environment: variables, guard, marker, mostBytes: mostTurnBytes };
}

function attempt(act: () => void, onError: (error: unknown) => void): void {
  try {
    act();
  } catch (error) {
    onError(error);
  }
}

function explain(command: string, error: unknown): string {
  const what = shortenText(messageOf(error), 2_000);
  return wantsSignIn(error)
    ? `${command} wants you to sign in first. Start it in a terminal once and sign in there, then send this again. (${what})`
    : `${command} answered: ${what}`;
}
