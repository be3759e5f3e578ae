/** Stands for `sandbox-exec`: refuses a profile as that would, and holds what it starts by the files and addresses the profile names, with bubblewrap. Prints the words to become. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { groundFences } from "../confinement.ts";
import { seccompProgram } from "../seccomp-program.ts";
import { allowsAddress, decides, pathsOf, readProfile } from "./seatbelt-language.ts";

const [bubblewrap = "", filterFile = "", ...words] = process.argv.slice(2);
const parameters = new Map<string, string>();
let profile: string | undefined;
while (words[0]?.startsWith("-")) {
  const [option = "", value = ""] = words.splice(0, 2);
  if (option === "-D") parameters.set(value.split("=", 1)[0] ?? "", value.slice(value.indexOf("=") + 1));
  else if (option === "-p") profile = value;
  else if (option === "-f") profile = readFileSync(value, "utf8");
  else end(64, "usage: sandbox-exec [options] command [args]");
}
if (profile === undefined || words.length === 0) end(64, "usage: sandbox-exec [options] command [args]");

function end(code: number, why: string): never {
  process.stderr.write(`sandbox-exec: ${why}\n`);
  process.exit(code);
}

function read(text: string) {
  try {
    return readProfile(text, parameters);
  } catch (error) {
    return end(65, error instanceof Error ? error.message : String(error));
  }
}

const isThere = (path: string) => statSync(path, { throwIfNoEntry: false }) !== undefined;
const rules = read(profile ?? "");
const may = (operation: string, path: string) => decides(rules, operation, path, parameters);

/** Shallow ones first, so that what is decided of a place holds for what lies in it and is decided otherwise. */
const places = pathsOf(rules, parameters)
  .filter((path) => path !== "/" && !/^\/(?:dev|proc)(?:\/|$)/.test(path) && isThere(path))
  .toSorted((a, b) => a.length - b.length);
const mounts = places.flatMap((path) => {
  if (!may("file-read-data", path)) {
    // One that is only led through shows nothing but what is put there next.
    return statSync(path).isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
  }
  return [may("file-write-create", path) ? "--bind" : "--ro-bind", path, path];
});
const closed = places.filter((path) => !may("file-read-data", path) && statSync(path).isDirectory());
const filter = seccompProgram(process.arch, { sockets: allowsAddress(rules, "unix-socket") });
writeFileSync(filterFile, filter ?? "");
const args = [
  ...groundFences(allowsAddress(rules, "ip")).flat(),
  ...mounts,
  ...closed.flatMap((path) => ["--remount-ro", path]),
  // Where it was started is not led through when it is not seen.
  ...["--chdir", may("file-read-data", process.cwd()) ? process.cwd() : "/", "--seccomp", "9", "--"],
];
process.stdout.write([bubblewrap, ...args, ...words].map((word) => `${word}\0`).join(""));
