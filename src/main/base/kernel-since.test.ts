import { expect, it } from "vitest";
import { isKernelSince } from "./kernel-since.ts";

it("tells kernels apart by number, whatever their builders add", () => {
  const since = ["5.14.0", "5.14-rc1", "6.1.0-13-amd64", "5.9.1", "4.18.0-553.el8", "?"].map((kernel) =>
    isKernelSince(5, 14, kernel),
  );
  expect(since).toEqual([true, true, true, false, false, false]);
});
