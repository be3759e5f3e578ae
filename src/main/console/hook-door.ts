/**
 * The door for hooks of agents in terminals: a socket that only this user can open, and only while the person allows
 * it. Through it can be asked, and nothing can be answered or read but the answer to one's own question.
 */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { ContractError } from "../../shared/contract/errors.ts";
import { hookFile, hookScript } from "../agents/terminal/hook-script.ts";
import { printAnswer, readRequest, type TerminalRequest } from "../agents/terminal/hook-words.ts";
import type { TerminalDesk } from "../agents/terminal/terminal-desk.ts";
import { http } from "../base/node-http.ts";
import { listenPrivately, socketPath } from "../base/private-socket.ts";
import { readBody } from "../base/read-body.ts";
import { writeAtomically } from "../settings/settings-store.ts";

/** More than the desk lets ask, so that who asks in vain is told so. */
const maxConnections = 32;
/** What may be asked about, with room for what else an agent says of it: when a call ended, all that came of it. */
const mostBodyBytes = 2_000_000;
/** Nobody notices that the other end of a pipe is gone but who writes to it: a blank line, twice a second. */
const beatMs = 500;

type HookDoorParts = {
  dataDir: string;
  desk: Pick<TerminalDesk, "ask" | "ended" | "took">;
  /** Hears, in a sentence, that it could not be opened. */
  onProblem(sentence: string): void;
  onError(error: unknown): void;
};

export type HookDoor = {
  /** Opens or closes it, as the person allows it now. Windows has no socket that curl can open: there it stays shut. */
  update(isAllowed: boolean): void;
  close(): void;
};

/** Writes the hook that finds it beside it, and removes both again. */
export function createHookDoor(parts: HookDoorParts): HookDoor {
  const { dataDir } = parts;
  let shut: (() => void) | undefined;

  function close(): void {
    if (shut === undefined) return;
    shut();
    shut = undefined;
    rmSync(join(dataDir, hookFile), { force: true });
  }

  function listen(): void {
    const address = socketPath(dataDir, "terminal-agents");
    const word = randomUUID();
    const server = http.createServer({ requestTimeout: 10_000 }, (request, response) => {
      serve({ ...parts, word }, request, response).catch((error) => {
        parts.onError(error);
        response.destroy();
      });
    });
    server.maxConnections = maxConnections;
    shut = listenPrivately(
      server,
      { address, dataDir },
      {
        onOpen: () => writeAtomically(join(dataDir, hookFile), hookScript(address, word)),
        onProblem(why) {
          parts.onProblem(`Agents in terminals cannot ask here: ${why}`);
          close();
        },
      },
    );
  }

  return {
    update(isAllowed) {
      if (isAllowed && shut === undefined && process.platform !== "win32") listen();
      if (!isAllowed) close();
    },
    close,
  };
}

/** Whatever cannot be asked is answered with nothing, and the agent asks by itself. */
async function serve(
  parts: HookDoorParts & { word: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const leaving = new AbortController();
  response.on("close", () => leaving.abort());
  const [, agent] = /^\/ask\/([a-z-]+)$/.exec(request.url ?? "") ?? [];
  // What stands in the hook, by which it knows that it is this console that would answer.
  if (request.url === "/ready") return void response.end(parts.word);
  if (request.method !== "POST" || agent === undefined) return void response.writeHead(404).end();
  try {
    const said = readRequest(agent, await readBody(request, mostBodyBytes));
    if (said.about === "end") parts.desk.ended(said);
    else await askAt(parts.desk, said, response, leaving.signal);
  } catch (error) {
    // Who left, and what was refused, is nobody's mistake.
    if (!leaving.signal.aborted && !(error instanceof ContractError)) throw error;
  } finally {
    response.end();
  }
}

async function askAt(
  desk: HookDoorParts["desk"],
  request: TerminalRequest,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  let beat: NodeJS.Timeout | undefined;
  // From here on the end of the connection is the end of what the hook prints, and no failure of it.
  response.flushHeaders();
  try {
    for await (const item of desk.ask(request, signal)) {
      if (item.kind === "asked") beat = setInterval(() => response.write("\n"), beatMs);
      else {
        await write(response, printAnswer(item), signal);
        desk.took(item.approvalId);
      }
    }
  } finally {
    clearInterval(beat);
  }
}

/** Resolves when the system has it for the hook. @throws ContractError when the hook is gone */
function write(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(new ContractError("closed", "The hook is gone."));
    signal.addEventListener("abort", leave, { once: true });
    response.write(text, (error) => (error ? leave() : resolve()));
  });
}
