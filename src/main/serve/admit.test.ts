/** Who gets through the browser's door, and that nobody else does, whatever they send. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runsOf } from "../base/testing/long-run.ts";
import { admit as admitBy, type DoorRequest } from "./admit.ts";

const port = 43_210;
const token = "q".repeat(43);
const admit = (request: DoorRequest, token: string) => admitBy(request, (given) => given === token);
const page: DoorRequest = { method: "GET", url: "/", headers: { host: "127.0.0.1:43210" }, port };
const wire: DoorRequest = {
  method: "GET",
  url: "/wire",
  headers: {
    host: "127.0.0.1:43210",
    origin: "http://127.0.0.1:43210",
    upgrade: "websocket",
    "sec-websocket-protocol": `console.v1, auth.${token}`,
  },
  port,
};
const withHeader = (request: DoorRequest, name: string, value: string | undefined): DoorRequest => ({
  ...request,
  headers: { ...request.headers, [name]: value },
});

describe("a page request", () => {
  it("is let in by GET and HEAD under the exact host, own origin or none", () => {
    expect(admit(page, token)).toEqual({ as: "file", path: "/" });
    expect(admit({ ...page, method: "HEAD", url: "/assets/a.js" }, token)).toEqual({
      as: "file",
      path: "/assets/a.js",
    });
    expect(admit(withHeader(page, "origin", "http://127.0.0.1:43210"), token).as).toBe("file");
  });

  it.each([
    "evil.example:43210",
    "localhost:43210",
    "127.0.0.1",
    "127.0.0.1:43211",
    "[::1]:43210",
    "",
    undefined,
  ])("is refused for the host %s", (host) =>
    expect(admit(withHeader(page, "host", host), token)).toMatchObject({ status: 403 }),
  );

  it.each(["POST", "PUT", "DELETE", "OPTIONS", "CONNECT", undefined])(
    "is refused for the method %s",
    (method) => expect(admit({ ...page, method }, token)).toMatchObject({ status: 405 }),
  );

  it.each(["null", "http://localhost:43210", "http://127.0.0.1:43211", "https://127.0.0.1:43210"])(
    "is refused from the origin %s",
    (origin) => expect(admit(withHeader(page, "origin", origin), token)).toMatchObject({ status: 403 }),
  );
});

describe("a connection", () => {
  it("is let in with the exact host and origin and the token, in either order", () => {
    expect(admit(wire, token)).toEqual({ as: "wire", token });
    const swapped = withHeader(wire, "sec-websocket-protocol", `auth.${token},console.v1`);
    expect(admit(swapped, token)).toEqual({ as: "wire", token });
  });

  it("is refused without an origin, though everything else is right", () => {
    expect(admit(withHeader(wire, "origin", undefined), token)).toMatchObject({ status: 403 });
  });

  it.each([
    undefined,
    "",
    "console.v1",
    `auth.${token}`,
    `console.v1, auth.${token.slice(1)}`,
    `console.v1, auth.${token}q`,
    `console.v1, auth.${token.toUpperCase()}`,
    "console.v1, auth.",
    `console.v1, auth.${token}, auth.other`,
    `console.v2, auth.${token}`,
  ])("is refused with the subprotocols %s", (offered) => {
    expect(admit(withHeader(wire, "sec-websocket-protocol", offered), token)).toMatchObject({ status: 401 });
  });

  it("is refused at any other path, query included, and as a plain request", () => {
    for (const url of ["/", "/wire/", "/wire?x=1", "/WIRE"]) {
      expect(admit({ ...wire, url }, token)).toMatchObject({ status: 404 });
    }
    expect(admit({ ...page, url: "/wire" }, token)).toMatchObject({ status: 426 });
    expect(admit(withHeader(wire, "upgrade", "h2c"), token)).toMatchObject({ status: 426 });
    expect(admit({ ...wire, method: "HEAD" }, token)).toMatchObject({ status: 405 });
  });
});

const headerValue = fc.oneof(
  fc.string(),
  fc.constantFrom(
    "127.0.0.1:43210",
    "http://127.0.0.1:43210",
    "http://127.0.0.1:43210, http://127.0.0.1:43210",
    "websocket",
    "null",
    "console.v1",
    `console.v1, auth.${"x".repeat(43)}`,
    `console.v1, auth.${token}`,
    "Code abc",
    "Bearer abc",
  ),
  fc.array(fc.string(), { maxLength: 2 }),
  fc.constant(undefined),
);
const anyHeaders = fc.dictionary(
  fc.oneof(
    fc.constantFrom("host", "origin", "upgrade", "sec-websocket-protocol", "authorization", "cookie"),
    fc.string(),
  ),
  headerValue,
);
const anyRequest = fc.record({
  method: fc.option(fc.constantFrom("GET", "HEAD", "POST", "get"), { nil: undefined }),
  url: fc.option(
    fc.oneof(fc.constantFrom("/wire", "/session", "/", "//wire", "*"), fc.webPath(), fc.string()),
    {
      nil: undefined,
    },
  ),
  headers: anyHeaders,
  port: fc.constant(port),
});

it("admits no connection that lacks the exact host, the exact origin or the token, over arbitrary requests", () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      const admission = admit(request, token);
      if (admission.as === "refused") return;
      expect(request.headers.host).toBe("127.0.0.1:43210");
      if (admission.as === "file") return;
      expect(request.url).toBe(admission.as === "wire" ? "/wire" : "/session");
      if (admission.as === "exchange") {
        expect([request.method, request.headers.origin]).toEqual(["POST", "http://127.0.0.1:43210"]);
        expect(request.headers.authorization).toBe(`Code ${admission.code}`);
        return;
      }
      expect(request.headers.origin).toBe("http://127.0.0.1:43210");
      expect(request.headers["sec-websocket-protocol"]).toContain(`auth.${token}`);
    }),
    { numRuns: runsOf(5_000) },
  );
});

it("admits no connection when any one header of a good one is changed", () => {
  const name = fc.constantFrom("host", "origin", "upgrade", "sec-websocket-protocol");
  fc.assert(
    fc.property(name, headerValue, (header, value) => {
      fc.pre(typeof value !== "string" || value !== wire.headers[header]);
      expect(admit({ ...wire, headers: { ...wire.headers, [header]: value } }, token).as).not.toBe("wire");
    }),
    { numRuns: runsOf(1_000) },
  );
});
