/** Which socket the command line talks to. */
import { once } from "node:events";
import { chownSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { addressFile } from "../console/command-line-door.ts";
import { NoConsoleError, withConsole } from "./console-client.ts";

/** Root can give a folder away; to anybody else the one of all belongs to another. */
function foldersOfTwo(): { own: string; other: string } {
  const [own, given] = ["own", "given"].map((name) => mkdtempSync(join(tmpdir(), `countersign-${name}-`)));
  onTestFinished(() => {
    for (const each of [own!, given!]) rmSync(each, { recursive: true });
  });
  if (process.getuid?.() !== 0) return { own: own!, other: realpathSync(tmpdir()) };
  chownSync(given!, 65_534, 65_534);
  return { own: own!, other: given! };
}

it.runIf(process.platform !== "win32")(
  "asks no console that listens in a folder of somebody else",
  async () => {
    const { own, other } = foldersOfTwo();
    for (const folder of [own, other]) {
      const address = join(folder, `countersign-${process.pid}.sock`);
      const server = createServer((guest) => void guest.destroy());
      await once(server.listen(address), "listening");
      writeFileSync(addressFile(own), JSON.stringify({ address }));
      const asking = withConsole(own, async () => "asked");
      if (folder === own) expect(await asking).toBe("asked");
      else await expect(asking).rejects.toThrow(NoConsoleError);
      await new Promise((closed) => server.close(closed));
    }
  },
);
