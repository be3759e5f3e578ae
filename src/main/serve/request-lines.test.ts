/** When browser mode may read its terminal: a program in the background that does is stopped, with all its agents. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { groupHasTerminal } from "./request-lines.ts";

const at = JSON.stringify(fileURLToPath(new URL("request-lines.ts", import.meta.url)));

it("knows from the system's record whether its group has the terminal, whatever its name is", () => {
  expect(groupHasTerminal("12 (node) S 1 12 12 34816 12 4194304 0")).toBe(true);
  expect(groupHasTerminal("12 (node) S 1 12 12 34816 77 4194304 0")).toBe(false);
  expect(groupHasTerminal("12 (x) R 1 1) S 1 12 12 34816 -1 4194304 0")).toBe(false);
});

it("hears each line of a pipe, and takes its end for nothing", async () => {
  const source = `const { onRequestLine } = await import(${at});
    let heard = 0;
    await onRequestLine(() => console.log(++heard));
    process.stdin.on("end", () => console.log("still here"));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk) => (said += chunk));
  child.stdin.end("\nanother\n");
  const [code] = await once(child, "close");
  expect([code, said]).toEqual([0, "1\n2\nstill here\n"]);
});
