/** Builds once for all tests of packages, and takes away what they made. */
import { rmSync } from "node:fs";
import { buildClean } from "../clean-build.mjs";
import { workDir } from "./pack-from-stub.mjs";

export default async function setup() {
  const clear = () => rmSync(workDir, { recursive: true, force: true });
  clear();
  await buildClean();
  return clear;
}
