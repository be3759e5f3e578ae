/** A real event log in a database of its own, with one thread, for the tests of what is read from it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Database from "better-sqlite3";
import type { ThreadEventData } from "../../../shared/contract/thread-events.ts";
import type { MessageId, ThreadId, TurnId } from "../../../shared/ids.ts";
import { openDatabase } from "../../storage/open-database.ts";
import { createEventLog, type EventLog } from "../event-log.ts";
import { addThread, threadId } from "./add-thread.ts";

export type OpenLog = { database: Database.Database; log: EventLog; threadId: ThreadId; close(): void };

export function openLog(): OpenLog {
  const folder = mkdtempSync(join(tmpdir(), "countersign-log-"));
  const { database } = openDatabase(folder, Date.now);
  database.pragma("synchronous = OFF");
  addThread(database, Date.now);
  return {
    database,
    log: createEventLog(database, Date.now, () => undefined),
    threadId,
    close() {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const turnId = "turn" as TurnId;

export function sent(itemId: string, text: string): ThreadEventData {
  return {
    type: "message.sent",
    itemId: itemId as MessageId,
    turnId,
    text,
    attachments: [],
    queued: false,
  };
}

export function said(itemId: string, text: string, reasoning?: string): ThreadEventData {
  return {
    type: "message.finished",
    itemId: itemId as MessageId,
    turnId,
    agentPath: [],
    text,
    reasoning,
    partial: false,
  };
}

export function called(itemId: string, tool: string, args: Record<string, unknown>): ThreadEventData {
  return { type: "toolCall.requested", itemId, turnId, agentPath: [], toolCallId: itemId, tool, args };
}

export function returned(itemId: string, result: string): ThreadEventData {
  return { type: "toolCall.finished", itemId, outcome: "ok", result };
}
