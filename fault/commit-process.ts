/** Commits what was rehearsed in a process of its own; the barrier in its environment ends it on the way. */
import { commit, openScene } from "./commit-scene.ts";

const scene = await openScene(process.argv[2]!);
await commit(scene);
await scene.stores.close();
