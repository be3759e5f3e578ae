import { expect, it } from "vitest";
import { warmFetch } from "./warm-fetch.ts";

const servers = () => process.getActiveResourcesInfo().filter((one) => one === "TCPServerWrap").length;

it("asks itself alone, and leaves no port open", async () => {
  const before = servers();
  await warmFetch();
  await expect.poll(servers).toBe(before);
});
