/** Runs a real LangGraph server in this process: `node real-server.mjs PORT`, beside the packages and the graphs. */
import { startServer } from "@langchain/langgraph-api/server";

const graphs = Object.fromEntries(
  ["agent", "deep", "ask"].map((name) => [name, `./real-graphs.mjs:${name}`]),
);
const { host, cleanup } = await startServer({
  port: Number(process.argv[2]),
  nWorkers: 10,
  host: "127.0.0.1",
  cwd: process.cwd(),
  graphs,
});
console.log(`ready ${host}`);
process.on("SIGTERM", async () => {
  await cleanup();
  process.exit(0);
});
