/** A process that grows a thread until it is killed, and says which checkpoint it has stored. */
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { uuid6 } from "@langchain/langgraph-checkpoint";
import { createCheckpointer } from "../create-checkpointer.ts";

const saver = createCheckpointer(process.argv[2]!);
const messages: (AIMessage | ToolMessage)[] = [];
for (let step = 0, parentId: string | undefined; ; step += 1) {
  messages.push(new AIMessage({ id: `a${step}`, content: `step ${step}` }));
  messages.push(new ToolMessage({ id: `t${step}`, content: "x".repeat(2000), tool_call_id: `c${step}` }));
  const checkpoint = {
    v: 4,
    id: uuid6(step),
    ts: "",
    channel_values: { messages: [...messages] },
    channel_versions: { messages: step },
    versions_seen: {},
  };
  const config = { configurable: { thread_id: "t", checkpoint_ns: "", checkpoint_id: parentId } };
  const stored = await saver.put(config, checkpoint, { source: "loop", step, parents: {} });
  await saver.putWrites(stored, [["messages", messages.slice(-1)]], `task${step}`);
  parentId = checkpoint.id;
  process.stdout.write(`${checkpoint.id} ${messages.length}\n`);
  if (step % 20 === 19) saver.pruneThread("t", { keepLast: 10 }, "apply");
}
