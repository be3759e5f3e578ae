/** A coding agent of others as a side: its own program, and a client that speaks the Agent Client Protocol over its pipes. */
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import {
  client,
  methods,
  type NewSessionResponse,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from "@agentclientprotocol/sdk";
import type { RealAgent } from "../../src/main/agents/acp/testing/real-agent.ts";
import { type Asked, type Place, type Running, type Side, stepIn } from "./side.ts";

/** @returns the agent as a side, which says why it cannot be measured where it is not installed. */
export function acpSide(agent: RealAgent): Side {
  const { name, version, missing, command } = agent;
  return {
    name,
    version,
    ...(missing !== undefined && { missing }),
    command,
    start: (place) => start(agent, place),
  };
}

async function start(real: RealAgent, { home, workspace, model, signal }: Place): Promise<Running> {
  const { command, args } = real.agent();
  const startedAt = performance.now();
  const child = spawn(command, [...args], {
    cwd: workspace,
    env: real.environment(home, model),
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const exited = new Promise<void>((resolve) => void child.once("close", () => resolve()));
  await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
  // What it started goes with it: it is a group of its own.
  const end = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, "SIGKILL");
  };
  signal.addEventListener("abort", end, { once: true });
  const listeners = new Map<string, (asked: Asked) => void>();
  const { agent } = client({ name: "countersign-bench" })
    .onRequest(methods.client.session.requestPermission, ({ params }) =>
      ask(params, listeners.get(params.sessionId)),
    )
    .onNotification(methods.client.session.update, () => undefined)
    .connect(
      ndJsonStream(
        Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
        Readable.toWeb(child.stdout) as unknown as ReadableStream<Uint8Array>,
      ),
    );
  await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: {},
  });
  return {
    pid: child.pid!,
    readyMs: performance.now() - startedAt,
    async open() {
      const place = { cwd: workspace, mcpServers: [] };
      const { sessionId } = await agent.request<NewSessionResponse>(methods.agent.session.new, place);
      return {
        async prompt(text, onAsked) {
          listeners.set(sessionId, onAsked);
          await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
        },
      };
    },
    async stop() {
      end();
      await exited;
    },
  };
}

/** Resolves when the client allowed it, once. */
function ask(
  params: RequestPermissionRequest,
  onAsked: ((asked: Asked) => void) | undefined,
): Promise<RequestPermissionResponse> {
  const at = performance.now();
  const optionId = params.options.find(({ kind }) => kind === "allow_once")?.optionId ?? "";
  return new Promise((resolve) =>
    onAsked?.({
      at,
      step: stepIn(params),
      allow: () => resolve({ outcome: { outcome: "selected", optionId } }),
    }),
  );
}
