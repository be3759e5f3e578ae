/** This project as a side: the built host as it is served, and a client on its WebSocket. */
import { join } from "node:path";
import { newCommandId } from "../../src/main/base/command-id.ts";
import type { Approval } from "../../src/shared/contract/approvals.ts";
import type { Settings } from "../../src/shared/contract/console.ts";
import type { ThreadId } from "../../src/shared/ids.ts";
import type { Client } from "../../src/shared/wire/client.ts";
import { serveHost } from "../served-host.ts";
import { type Asked, type Place, type Running, type Session, type Side, stepIn } from "./side.ts";

export const ownSide = sideWith("this tree", "auto");

/** As the others run what they were allowed: their sandbox, where they have one, is for what nobody is asked about. */
export const unconfinedSide = sideWith("this tree, outside its sandbox", "off");

function sideWith(version: string, sandbox: Settings["sandbox"]): Side {
  return {
    name: "Countersign",
    version,
    command: (command) => ({ tool: "execute", args: { command } }),
    start: (place) => start(place, sandbox),
  };
}

type Listeners = Map<ThreadId, (asked: Asked) => void>;

async function start({ home, workspace, model }: Place, sandbox: Settings["sandbox"]): Promise<Running> {
  const host = await serveHost(join(home, "data"), workspace);
  const { client } = host;
  await client.call("host.info", {});
  const readyMs = performance.now() - host.startedAt;
  // The sides have no bound of their own on how many work at once, so this one is put as high as it goes.
  await client.call("settings.update", { maxActiveRuns: 32, sandbox });
  const scripted = { provider: "openai-compatible", model: "scripted", baseUrl: `${model}/v1` } as const;
  await client.call("models.setDefault", { model: scripted });
  const { digest } = await client.call("workspaces.review", { path: workspace });
  await client.call("workspaces.setTrust", { path: workspace, trusted: true, digest });
  const left = new AbortController();
  const listeners: Listeners = new Map();
  const listening = hearRequests(client, listeners, left.signal);
  return {
    pid: host.pid,
    readyMs,
    async open() {
      const { id } = await client.call("threads.create", { commandId: newCommandId(), workspace });
      return sessionOf(client, id, listeners);
    },
    async stop() {
      left.abort();
      await listening;
      await host.stop();
    },
  };
}

function sessionOf(client: Client, threadId: ThreadId, listeners: Listeners): Session {
  return {
    async prompt(text, onAsked) {
      listeners.set(threadId, onAsked);
      const { turnId } = await client.call("threads.send", { commandId: newCommandId(), threadId, text });
      for await (const item of client.watch("threads.watch", { threadId, since: 0 }))
        for (const { data } of item.kind === "events" ? item.events : [])
          if (data.type === "turn.finished" && data.turnId === turnId) return;
    },
  };
}

async function hearRequests(client: Client, listeners: Listeners, signal: AbortSignal): Promise<void> {
  const heard = new Set<string>();
  try {
    for await (const item of client.watch("console.watch", {}, { signal })) {
      const at = performance.now();
      const shown = item.kind === "approvals" || item.kind === "changes" ? item.approvals : [];
      for (const card of shown.filter(({ id, status }) => status === "pending" && !heard.has(id))) {
        heard.add(card.id);
        const allow = () => void approve(client, card);
        listeners.get(card.threadId)?.({ at, step: stepIn(card), allow });
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

const approve = (client: Client, { id, digest }: Approval) =>
  client.call("approvals.decide", {
    commandId: newCommandId(),
    items: [{ id, digest }],
    decision: { type: "approve" },
  });
