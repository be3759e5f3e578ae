import { expect, it } from "vitest";
import { console, withHost } from "./testing/host-fixture.ts";

withHost("file");

it("the meter counts what the person decided, and names the rules that would have spared them most", async () => {
  const ask = () => console.client.call("approvals.fatigue", {});
  expect(await ask()).toMatchObject({ decided: 0, approved: 0, risky: 0 });
  const threadId = await console.start(Array(4).fill("run make part").join("\n\n"));
  for (let at = 0; at < 3; at += 1)
    await console.decide(await console.onePending(threadId), { type: "approve" });
  await console.decide(await console.onePending(threadId), { type: "reject" });
  // A rule for what was rejected once is not offered, so nothing would have spared it.
  expect(await ask()).toMatchObject({ decided: 4, approved: 3, perThread: 4, regretted: 3 });
  expect((await ask()).change).toBeUndefined();
  const other = await console.start(Array(4).fill("run make other").join("\n\n"));
  for (let at = 0; at < 3; at += 1)
    await console.decide(await console.onePending(other), { type: "approve" });
  const { id, digest } = await console.onePending(other);
  const counted = { decided: 7, perThread: 3.5, change: { kind: "rules", spared: 3 } };
  expect(await ask()).toMatchObject(counted);
  // What a switch let pass is no decision of theirs.
  const approve = [{ id, digest }];
  await console.client.call("threads.setAutoApprove", { threadId: other, on: true, approve });
  await console.untilRest(other);
  expect(await ask()).toMatchObject(counted);
});
