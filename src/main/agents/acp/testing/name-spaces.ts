/** Stands between Codex and the scripted model, which knows no name spaces: the tools of a server are called in that of the server. */
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";

/** @returns the address to give to Codex, and what closes it. */
export async function withNameSpaces(model: () => string): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const { method = "GET", url = "/" } = request;
    const body = method === "GET" ? null : await text(request);
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${model()}${url}`, { method, body, headers });
    const said = (await answer.text()).replace(
      /"name":"(mcp__[a-z]+)__(\w+)"/g,
      (_all, space, name) => `"namespace":"${space}","name":"${name}"`,
    );
    response.writeHead(answer.status, {
      "content-type": answer.headers.get("content-type") ?? "text/plain",
    });
    response.end(said);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${bound.port}`, server };
}
