import { expect, it } from "vitest";
import { admitDevPage } from "./dev-wire.mjs";

const origin = "http://127.0.0.1:5173";
const state = { origin, given: new Set(["first", "second"]), token: "second" };
const offer = (token) => ({ origin, "sec-websocket-protocol": `console.v1, auth.${token}` });

it("passes an open page on to a restarted host with the new token", () => {
  expect(admitDevPage(offer("first"), state)).toBe("console.v1, auth.second");
});

it.each([
  ["another site", { ...offer("first"), origin: "https://example.com" }],
  ["no origin", { "sec-websocket-protocol": "console.v1, auth.first" }],
  ["a guessed token", offer("guess")],
  ["no token", { origin }],
])("cuts off %s", (_name, headers) => {
  expect(admitDevPage(headers, state)).toBeUndefined();
});
