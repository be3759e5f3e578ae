/** Takes back, or brings forth, in a process of its own; the barrier in its environment ends it on the way. */
import { noteSynced } from "./note-synced.ts";

const [folder, way, notes] = process.argv.slice(2);
if (notes === "notes") noteSynced();
// Who syncs takes hold of the system's function as it is loaded.
const { openScene } = await import("./undo-scene.ts");
const { threadId } = await import("./desk-scene.ts");
const { takeBacks, place, stores } = await openScene(folder!);
const { digest, last } = await takeBacks.preview(place);
if (way === "forth") await takeBacks.carryOut(place, digest, "both", { kind: "person" });
else await takeBacks.reverse(threadId, last!.id, { kind: "person" });
await stores.close();
