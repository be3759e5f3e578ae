/** A host with outer agents, anew for each test of a file, and what the fake agent wrote down and did. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { AgentId, ThreadId } from "../../../../shared/ids.ts";
import { type OuterParts, SourceHost } from "../../../engine/testing/source-host.ts";
import { outerSource } from "../outer-agents.ts";

export const approve = { type: "approve" as const };
export const reject = { type: "reject" as const };

/** None where there is no such file. */
export const linesOf = (path: string): string[] =>
  existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];

/** To be made once in a test file, outside of its tests. @param agent whom threads are for unless a test says otherwise */
export function createOuterScene(agent = "fake") {
  let host: SourceHost;
  const open = async (parts: Partial<OuterParts> = {}) => {
    host = new SourceHost(parts);
    await host.open();
  };
  const close = async () => {
    await host.close();
    host.remove();
  };
  /** What thread and cards say of it. */
  const acting = (threadId: ThreadId) => {
    const thread = host.stores.threads.get(threadId);
    return host.engine.sources.of(thread).actsItself?.(thread);
  };
  beforeEach(() => open());
  afterEach(close);
  return {
    get host() {
      return host;
    },
    /** Another host in place of the one that every test has. */
    async openAnew(parts: Partial<OuterParts>): Promise<void> {
      await close();
      await open(parts);
    },
    /** @param text each line is a step of the fake agent. @param id which may say how the fake agent behaves */
    start: (text: string, id = agent) => host.start(outerSource, text, id as AgentId),
    items: (threadId: ThreadId) => host.stores.log.page(threadId, 50).items,
    pending: (threadId: ThreadId) => host.stores.approvals.pending(threadId),
    /** What the fake agent wrote down of what it was told and did. */
    heard: () => linesOf(join(host.root, "fake-agent.txt")),
    /** What its commands appended to the one file that most of them write. */
    written: () => linesOf(join(host.workspace, "done.txt")),
    acting,
    levelOf: (threadId: ThreadId) => acting(threadId)?.level,
  };
}
