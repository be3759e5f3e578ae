/** The columns of a row: what stands in one of them reaches into no other. */
import { expect, it } from "vitest";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { verbRoom } from "./line-frame.tsx";
import { strings } from "./strings.ts";

it("has room for each verb", () => {
  openLiveQueue([{ approval: sampleApproval("a", "ls", { requestedAt: 1 }) }]);
  const line = document.createElement("div");
  line.className = "flex text-[length:inherit]";
  document.body.append(line);
  const verbs = [...Object.values(strings.rowVerbs), strings.halted.retry, strings.halted.resume];
  const tooLong = verbs.filter((verb) => {
    const cell = document.createElement("span");
    cell.className = verbRoom;
    cell.textContent = verb;
    line.append(cell);
    return cell.scrollWidth > cell.clientWidth;
  });
  line.remove();
  expect(tooLong).toEqual([]);
});
