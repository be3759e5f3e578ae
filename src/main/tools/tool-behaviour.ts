/** What the gate asks of a tool. There is one behaviour for each kind of tool, and none for a tool by its name. */
import type { Verdict } from "../../shared/contract/decisions.ts";
import type { Subject } from "../../shared/contract/subjects.ts";
import type { ThreadRow } from "../threads/thread-store.ts";

/** A call as it is judged and drawn. */
export type AskedCall = { tool: string; args: Record<string, unknown>; thread: ThreadRow };

export type Judged = {
  verdict: Verdict;
  /** The tool only reads; when it is safe it needs no execution. */
  readsOnly?: boolean;
  /** For a read that is safe: the real path that was judged, which alone is to be read. */
  readPath?: string;
  /** For a command that may be asked about: what `describe` says of it as things are now. */
  shape?: string;
};

export type Described = {
  subject: Subject;
  shape: string;
  /** What of the world this was drawn against; see `shown-base.ts`. */
  baseHash: string | undefined;
  /** Why the call cannot be made as the disk is now, in the words of the tool. */
  unable?: {
    why: string;
    /** The agent may read the file, so hearing why tells it nothing that it could not look up. */
    tellable: boolean;
  };
};

export type ToolBehaviour = {
  /** It has no effect of its own; what happens inside of it passes the gate itself. */
  isFree: boolean;
  /** @param isCardNext its card may be drawn right after that */
  judge(call: AskedCall, isCardNext?: boolean): Promise<Judged>;
  /**
   * What the card shows under this verdict, drawn against the disk as it is now.
   * @param shape as it was judged just now with this verdict
   */
  describe(call: AskedCall, verdict: Verdict, shape?: string): Promise<Described>;
};

/** A verdict of one part. */
export function verdictOf(unit: Verdict["units"][number]): Verdict {
  return { verdict: unit.verdict, units: [unit] };
}

/** A card that shows nothing but the arguments. */
export async function describeArguments({ tool }: AskedCall): Promise<Described> {
  return { subject: { kind: "arguments" }, shape: tool, baseHash: undefined };
}
