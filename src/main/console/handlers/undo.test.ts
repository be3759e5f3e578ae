import { expect, it } from "vitest";
import type { ThreadId } from "../../../shared/ids.ts";
import type { TakeBacks } from "../../undo/take-backs.ts";
import { createUndoHandlers } from "./undo.ts";

it("moves no branch back for the command line, and undoes all else for it", async () => {
  const reversed: string[] = [];
  const takeBacks: Pick<TakeBacks, "lastHome" | "reverse"> = {
    lastHome: () => ({ id: "home" }) as never,
    reverse: async (_, id) => {
      reversed.push(id);
      return { what: { files: [] } } as never;
    },
  };
  const handlers = createUndoHandlers({
    threads: { get: () => ({}) as never },
    takeBacks: takeBacks as TakeBacks,
  });
  const reverse = async (id: string, via?: "command line") =>
    handlers["undo.reverse"]({ threadId: "t1" as ThreadId, id }, { via } as never);
  await expect(reverse("home", "command line")).rejects.toMatchObject({ code: "forbidden" });
  await reverse("files", "command line");
  await reverse("home");
  expect(reversed).toEqual(["files", "home"]);
});
