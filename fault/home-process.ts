/** Merges in a process of its own; the barrier in its environment ends it on the way. */
import { threadId } from "./desk-scene.ts";
import { openHome } from "./home-scene.ts";

const { desk, stores } = await openHome(process.argv[2]!);
const { plan } = await desk.preview(threadId);
await desk.bring(threadId, "merge", plan.digest, "Mine", { kind: "person" });
await stores.close();
