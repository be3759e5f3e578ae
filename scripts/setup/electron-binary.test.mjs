import { expect, it } from "vitest";
import { whyNoWindow } from "./electron-binary.mjs";

it("needs a display on Linux, of either kind", () => {
  expect(whyNoWindow("linux", {}, 1000)).toBe("there is no display");
  expect(whyNoWindow("linux", { DISPLAY: ":0" }, 1000)).toBeUndefined();
  expect(whyNoWindow("linux", { WAYLAND_DISPLAY: "wayland-0" }, 1000)).toBeUndefined();
});

it("does not try as root, where Electron refuses to run", () => {
  expect(whyNoWindow("linux", { DISPLAY: ":0" }, 0)).toBe("Electron does not run as root");
});

it("needs nothing of the kind elsewhere", () => {
  expect(whyNoWindow("darwin", {}, 501)).toBeUndefined();
  expect(whyNoWindow("win32", {}, undefined)).toBeUndefined();
});
