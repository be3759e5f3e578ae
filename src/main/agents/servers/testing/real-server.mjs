/** Runs a real LangGraph server in this process: `node real-server.mjs PORT`, beside the packages, the graphs and an exported project. */
import { readFileSync } from "node:fs";
import { startServer } from "@langchain/langgraph-api/server";

const exported = JSON.parse(readFileSync("exported/langgraph.json", "utf8")).graphs;
const graphs = {
  ...Object.fromEntries(["agent", "deep", "ask"].map((name) => [name, `./real-graphs.mjs:${name}`])),
  ...Object.fromEntries(
    Object.entries(exported).map(([name, path]) => [name, path.replace("./", "./exported/")]),
  ),
};
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
