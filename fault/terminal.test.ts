/** Browser mode in a terminal that other programs use too: it must not take their keys, nor be stopped for trying. */
import { join } from "node:path";
import { spawn as openTerminal } from "node-pty";
import { expect, it, vi } from "vitest";

const at = JSON.stringify(join(import.meta.dirname, "../src/main/serve/request-lines.ts"));

it.skipIf(process.platform !== "linux")(
  "takes no key and is not stopped in the background of a terminal, and hears again in front",
  async () => {
    const source = `const { onRequestLine } = await import(${at});
    await onRequestLine(() => console.log("as" + "ked"));
    console.log("u" + "p");
    setInterval(() => {}, 1_000);`;
    const env = { ...process.env, PS1: "$ ", NODE: process.execPath, SOURCE: source };
    const terminal = openTerminal("bash", ["--norc", "--noprofile", "-i"], { env });
    let said = "";
    terminal.onData((text) => {
      said += text;
    });
    const type = async (keys: string, answer: string) => {
      said = "";
      terminal.write(keys);
      await vi.waitUntil(() => said.includes(answer));
    };
    await type('"$NODE" --input-type=module -e "$SOURCE" &\r', "up\r");
    await type("\r\recho on''e\r", "one\r");
    await type("jobs\r", "Running");
    expect(said).not.toContain("asked");
    await type("fg\r", "input-type");
    await type("\u001a", "Stopped");
    await type("fg\r", "input-type");
    await type("\r", "asked");
    terminal.kill("SIGKILL");
  },
);
