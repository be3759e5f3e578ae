import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const main = join(import.meta.dirname, "..");
const files = ["host/create-host.ts", "serve/door.ts"].map((file) => JSON.stringify(join(main, file)));

it("is all of Node's HTTP that a start of the host loads, without the client behind fetch and WebSocket", () => {
  const script = `await Promise.all([${files.join()}].map((file) => import(file)));
    console.log(JSON.stringify(process.moduleLoadList.filter((name) => /undici|_http_server$/.test(name))));`;
  const told = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  expect(JSON.parse(told)).toEqual(["NativeModule _http_server"]);
});
