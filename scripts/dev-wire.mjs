/** Vite's proxy for the page's WebSocket in development: it follows the host through its restarts. */
import { admit } from "../src/main/serve/admit.ts";

/**
 * A restarted host has a new port and a new token, the open page only the ones of the development server. A page that
 * comes from the server's own origin with a token that the server gave out is passed on with the host's token of now;
 * everything else is cut off.
 */
export function createDevWire(access) {
  let home;
  let current;
  let options;
  const proxy = {
    target: "http://127.0.0.1:9",
    ws: true,
    changeOrigin: true,
    configure: (server, proxyOptions) => {
      options = proxyOptions;
      server.on("error", (_error, _request, socket) => socket.destroy?.());
      server.on("proxyReqWs", (outgoing, request, socket) => {
        const isOurs = admitDevRequest(request, home, access)?.as === "wire";
        if (!isOurs || current === undefined) return socket.destroy();
        outgoing.setHeader("origin", current.origin);
        outgoing.setHeader("sec-websocket-protocol", `console.v1, auth.${current.token}`);
      });
    },
  };
  return {
    proxy,
    /** The port of the development server, known once it listens. */
    serveAt: (port) => {
      home = port;
    },
    /** Takes where a host listens and a token it gave; returns whether it is the first one. */
    connectTo: (origin, token) => {
      const isFirst = current === undefined;
      current = { origin, token };
      options.target = origin;
      return isFirst;
    },
    /** A Vite plug-in that exchanges the codes of the development server's own addresses. */
    plugin: {
      name: "countersign-session",
      configureServer: (server) => {
        server.middlewares.use("/session", (request, response) => {
          const admission = admitDevRequest(
            { method: request.method, url: request.originalUrl, headers: request.headers },
            home,
            access,
          );
          const token = admission?.as === "exchange" ? access.exchange(admission.code) : undefined;
          response.writeHead(token === undefined ? 401 : 200, { "Content-Type": "application/json" });
          response.end(JSON.stringify(token === undefined ? {} : { token }));
        });
      },
    },
  };
}

/** The door's own decision about a request to the development server; undefined before it listens. */
export function admitDevRequest({ method, url, headers }, port, access) {
  return port === undefined ? undefined : admit({ method, url, headers, port }, access.admits);
}
