/** Tells which version of an installed package a bench compares with. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** @returns the version of a package in node_modules. @throws if it is not installed. */
export function packageVersion(name: string): string {
  const path = join(import.meta.dirname, "..", "node_modules", name, "package.json");
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
}
