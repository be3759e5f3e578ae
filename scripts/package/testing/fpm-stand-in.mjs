#!/usr/bin/env node
/**
 * Takes the place of fpm, a download, so that a real .deb can be made offline: understands what electron-builder asks
 * of it, lays the files out and has dpkg-deb pack them. An option it does not know ends it.
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const single = [
  "-s",
  "-t",
  "--architecture",
  "--after-install",
  "--after-remove",
  "--description",
  "--version",
].concat([
  ...["--package", "--name", "--maintainer", "--vendor", "--url", "--category", "--deb-priority"],
  ...["--license", "--deb-compression"],
]);
const several = ["-d", "--deb-recommends"];

const options = { "-d": [], "--deb-recommends": [] };
const mappings = [];
const left = process.argv.slice(2);
for (let word = left.shift(); word !== undefined; word = left.shift()) {
  if (word === "--force") continue;
  if (single.includes(word)) options[word] = left.shift();
  else if (several.includes(word)) options[word].push(left.shift());
  else if (word.startsWith("-")) throw new Error(`fpm stand-in: unknown option ${word}`);
  else mappings.push(word.split("="));
}

const stage = mkdtempSync(join(tmpdir(), "countersign-deb-"));
for (const [from, to] of mappings) {
  const target = join(stage, to);
  mkdirSync(from.endsWith("/") ? target : dirname(target), { recursive: true });
  cpSync(from, target, { recursive: true, verbatimSymlinks: true });
  if (!statSync(target).isDirectory()) chmodSync(target, 0o644);
}

const control = {
  Package: options["--name"],
  Version: options["--version"],
  Architecture: options["--architecture"],
  Maintainer: options["--maintainer"],
  Depends: options["-d"].join(", "),
  Recommends: options["--deb-recommends"].join(", "),
  Section: options["--category"],
  Priority: options["--deb-priority"],
  Homepage: options["--url"],
  Description: options["--description"],
};
const fields = Object.entries(control).map(([name, value]) => `${name}: ${value}\n`);
mkdirSync(join(stage, "DEBIAN"));
writeFileSync(join(stage, "DEBIAN", "control"), fields.join(""));
for (const [option, name] of [
  ["--after-install", "postinst"],
  ["--after-remove", "postrm"],
])
  writeFileSync(join(stage, "DEBIAN", name), readFileSync(options[option]), { mode: 0o755 });
const args = ["--root-owner-group", "-Zgzip", "-z1", "--build", stage, options["--package"]];
execFileSync("dpkg-deb", args, { stdio: "inherit" });
rmSync(stage, { recursive: true });
