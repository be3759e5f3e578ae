/** Vite's proxy for the page's WebSocket in development: it follows the host through its restarts. */

/**
 * A restarted host has a new port and a new token, the open page only the first ones. A page that comes from the
 * development server's own origin and offers a token that one of the hosts gave out is passed on with today's token;
 * everything else is cut off.
 */
export function createDevWire() {
  const given = new Set();
  let origin;
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
        const protocols = current && admitDevPage(request.headers, { origin, given, token: current.token });
        if (protocols === undefined) return socket.destroy();
        outgoing.setHeader("origin", current.origin);
        outgoing.setHeader("sec-websocket-protocol", protocols);
      });
    },
  };
  return {
    proxy,
    trust: (devOrigin) => {
      origin = devOrigin;
    },
    /** Takes the URL a host printed; returns whether it is the first one. */
    connectTo: (url) => {
      const token = new URLSearchParams(url.hash.slice(1)).get("token");
      current = { token, origin: url.origin };
      options.target = url.origin;
      given.add(token);
      return given.size === 1;
    },
  };
}

/** The subprotocols to pass on, or undefined when the request is not from our page or has no token of ours. */
export function admitDevPage(headers, { origin, given, token }) {
  if (origin === undefined || headers.origin !== origin) return undefined;
  const offered = (headers["sec-websocket-protocol"] ?? "").split(",").map((protocol) => protocol.trim());
  const isKnown = offered.some((protocol) => protocol.startsWith("auth.") && given.has(protocol.slice(5)));
  return isKnown ? `console.v1, auth.${token}` : undefined;
}
