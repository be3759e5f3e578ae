/** Takes back, or brings forth, in a process of its own; the barrier in its environment ends it on the way. */
import { threadId } from "./desk-scene.ts";
import { openScene } from "./undo-scene.ts";

const [folder, way] = process.argv.slice(2);
const { takeBacks, place, stores } = await openScene(folder!);
const { digest, last } = await takeBacks.preview(place);
if (way === "forth") await takeBacks.carryOut(place, digest, "both", { kind: "person" });
else await takeBacks.reverse(threadId, last!.id, { kind: "person" });
await stores.close();
