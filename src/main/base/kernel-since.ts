/** What a kernel can do, by its version alone. */
import { release } from "node:os";

/** @param kernel as `uname -r` says it */
export function isKernelSince(major: number, minor: number, kernel = release()): boolean {
  const [ofMajor = 0, ofMinor = 0] = kernel.split(".").map(Number.parseFloat);
  return ofMajor > major || (ofMajor === major && ofMinor >= minor);
}
