import { expect, it } from "vitest";
import { chooseConsoleAddress } from "./origin.ts";

const builtIn = { url: "app://console/", origin: "app://console" };

it("is the built-in page in a packaged app, whatever the environment says (S20)", () => {
  expect(chooseConsoleAddress(true, "http://localhost:5173")).toEqual(builtIn);
  expect(chooseConsoleAddress(false, undefined)).toEqual(builtIn);
});

it("is a development server of this machine while the app is not packaged", () => {
  expect(chooseConsoleAddress(false, "http://127.0.0.1:5173").origin).toBe("http://127.0.0.1:5173");
});

it.each(["http://example.com:5173", "http://127.0.0.1.example.com", "nonsense", ""])(
  "is never the foreign address %j",
  (address) => expect(chooseConsoleAddress(false, address)).toEqual(builtIn),
);
