/** What we keep open for a governed agent while its program runs: our tools, the door to them, and who takes its calls. */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { messageOf } from "../../../shared/message-of.ts";
import type { OfferedTool, OfferedTools } from "../deep-agent/offered-tools.ts";
import { type Governing, toolServer, type WayToGovern } from "./governing.ts";
import type { Asked, Taken } from "./take-call.ts";
import type { DoorPlace } from "./tool-door.ts";
import { Tripwire } from "./tripwire.ts";

export type GovernedAgent = {
  governing: Governing;
  /** What it has to see of the data folder. */
  doorFiles: readonly string[];
  tools: OfferedTools;
  tripwire: Tripwire;
  /** Whoever takes its calls from now on; without one each is answered with an error. */
  takeBy(take: TakeCall | undefined): void;
  close(): void;
};

/**
 * @param how how it is governed, and the programs and folders for the door to our tools
 * @throws Error when the socket cannot be opened
 */
export async function openGovernedAgent(
  { way, ...place }: DoorPlace & { way: WayToGovern },
  tools: OfferedTools,
): Promise<GovernedAgent> {
  // The protocol's package is loaded with the first that needs it.
  const { openToolDoor } = await import("./tool-door.ts");
  let take: TakeCall | undefined;
  const serve = await createToolServer(tools.list, () => take);
  const door = await openToolDoor(place, serve);
  return {
    governing: way(door.program),
    doorFiles: door.files,
    tools,
    tripwire: new Tripwire(),
    takeBy(next) {
      take = next;
    },
    close: door.close,
  };
}

/** Takes a call; `withdrawn` aborts when the agent gives it up or is gone. */
export type TakeCall = (asked: Asked, withdrawn: AbortSignal) => Promise<Taken>;

/** Those who wait for a person would give up; some take heart from each sign of life. */
const beatMs = 15_000;

/** @param takes whoever takes calls now. @returns what serves a link. */
export async function createToolServer(
  tools: readonly Pick<OfferedTool, "name" | "description" | "argsSchema">[],
  takes: () => TakeCall | undefined,
): Promise<(link: Transport) => void> {
  const [{ Server }, { CallToolRequestSchema, ListToolsRequestSchema }] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  const list = tools.map(({ name, description, argsSchema }) => ({
    name,
    description,
    inputSchema: { ...argsSchema, type: "object" as const },
  }));
  return (link) => {
    const server = new Server({ name: toolServer, version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: list }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
      const progressToken = params._meta?.progressToken;
      let progress = 0;
      const beat = setInterval(() => {
        progress += 1;
        const told = { progressToken: progressToken!, progress, message: "A person has not decided yet." };
        void sendNotification({ method: "notifications/progress", params: told }).catch(() => undefined);
      }, beatMs);
      if (progressToken === undefined) clearInterval(beat);
      try {
        const take = takes();
        if (take === undefined) return toResult(atRest);
        return toResult(await take({ tool: params.name, args: params.arguments ?? {} }, signal));
      } catch (error) {
        return toResult({ text: messageOf(error), isError: true });
      } finally {
        clearInterval(beat);
      }
    });
    void server.connect(link);
  };
}

const atRest: Taken = { text: "Nothing was asked of you, so nothing is done.", isError: true };

const toResult = ({ text, isError }: Taken) => ({ content: [{ type: "text" as const, text }], isError });
