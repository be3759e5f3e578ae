/**
 * Global set-up of the unit tests: bundles what runs in a thread or process of its own, as it is shipped. Each test that
 * opens a host starts some of them, and reading them from source is most of what a start costs.
 */
import { extname, join, parse } from "node:path";
import { build } from "vite";

const root = join(import.meta.dirname, "../..");
/** Where `src/main/base/testing/file-beside-bundled.ts` finds them. */
const folder = join(root, ".cache/test/workers");

const sources = [
  "agents/acp/testing/fake-agent.mjs",
  "files/snapshot-worker",
  "rules/judging-worker",
  "shell/shell-host-entry",
  "storage/database-probe",
  "storage/wal-keeper-worker",
  "threads/deepagents/sessions-worker",
  "web/page-worker",
];

export default async function bundleWorkers() {
  await build({
    root,
    configFile: false,
    logLevel: "error",
    ssr: { noExternal: true, external: ["better-sqlite3", "node-pty"] },
    build: {
      ssr: true,
      target: "node24",
      outDir: folder,
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(
          sources.map((name) => [
            parse(name).name,
            join(root, "src/main", extname(name) ? name : `${name}.ts`),
          ]),
        ),
        output: { format: "es", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
      },
    },
  });
}
