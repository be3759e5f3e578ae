import { expect, it } from "vitest";
import { createAccess } from "../src/main/serve/access.ts";
import { admitDevRequest } from "./dev-wire.mjs";

const port = 5173;
const origin = `http://127.0.0.1:${port}`;
const access = createAccess();
const token = access.exchange(access.issueCode({ lifetimeMs: 60_000, isExposed: false }));
const wire = (changed = {}) => ({
  method: "GET",
  url: "/wire",
  headers: {
    host: `127.0.0.1:${port}`,
    origin,
    upgrade: "websocket",
    "sec-websocket-protocol": `console.v1, auth.${token}`,
    ...changed,
  },
});

it("passes on a page that has a token of the development server", () => {
  expect(admitDevRequest(wire(), port, access)).toMatchObject({ as: "wire" });
});

it.each([
  ["another site", { origin: "https://example.com" }],
  ["no origin", { origin: undefined }],
  ["a guessed token", { "sec-websocket-protocol": "console.v1, auth.guess" }],
  ["no token", { "sec-websocket-protocol": undefined }],
])("passes on nothing from %s", (_name, changed) => {
  expect(admitDevRequest(wire(changed), port, access)).toMatchObject({ as: "refused" });
});

it("passes on nothing before the server listens", () => {
  expect(admitDevRequest(wire(), undefined, access)).toBeUndefined();
});
