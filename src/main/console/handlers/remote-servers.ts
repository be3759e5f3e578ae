/** Answers the contract's calls about remote servers. */
import type { CommandId } from "../../../shared/ids.ts";
import type { ConsoleParts, HandlersOf } from "../console-parts.ts";
import { sendMessage } from "../thread-commands/send-message.ts";
import { titleOf } from "../thread-commands/thread-title.ts";
import { named } from "./outer-agents.ts";

/** @returns a handler for each call about remote servers. */
export function createRemoteServerHandlers(parts: ConsoleParts): HandlersOf<"remoteServers"> {
  const { serverDesk: desk, remoteServers: servers } = parts;
  return {
    "remoteServers.list": () => ({ servers: desk.list(), problems: servers.list().problems }),
    async "remoteServers.save"({ key, ...entered }) {
      const saved = await named(() => desk.save(entered, key));
      return "problem" in saved ? { ok: false, ...saved } : { ok: true, ...saved };
    },
    "remoteServers.look": ({ id }) => desk.lookNow(id),
    "remoteServers.assistants": async ({ id }) => ({ assistants: await desk.assistants(id) }),
    async "remoteServers.start"({ commandId, id, assistant, text }) {
      const threadId = await parts.once.act(commandId, () => desk.createThread(id, assistant, titleOf(text)));
      const first = { commandId: `${commandId}:first` as CommandId, threadId, text };
      await sendMessage({ ...first, attachments: [], whileWaiting: "queue" }, parts);
      return { threadId };
    },
    async "remoteServers.remove"({ id }) {
      await named(() => desk.remove(id));
      return {};
    },
  };
}
