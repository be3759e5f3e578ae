/** Makes or removes a worktree in a process of its own, which a test may end at any moment. */
import { join } from "node:path";
import { openDatabase } from "../src/main/storage/open-database.ts";
import { makeWorktree } from "../src/main/worktrees/make-worktree.ts";
import { removeWorktree } from "../src/main/worktrees/remove-worktree.ts";
import { safeGit } from "../src/main/worktrees/safe-git.ts";
import { createWorktreeStore } from "../src/main/worktrees/worktree-store.ts";

const [act, dataDir, origin, id] = process.argv.slice(2) as [string, string, string, string];
const { database } = openDatabase(dataDir, Date.now);
const store = createWorktreeStore(database);
const parts = { git: safeGit, store, folder: join(dataDir, "worktrees") };
process.stdout.write("begun\n");
if (act === "make") await makeWorktree({ id, origin }, id, parts, (_, gitDir) => store.made(id, gitDir));
else for (const worktree of store.inUse()) await removeWorktree(worktree, parts);
database.close();
