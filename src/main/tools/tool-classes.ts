/** What a person said of each tool of an MCP server: whether it reads or changes, for the tool as it was described then. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Verdict } from "../../shared/contract/decisions.ts";
import { writeAtomically } from "../settings/settings-store.ts";

const classSchema = z.enum(["reads", "changes"]);
export type ToolClass = z.infer<typeof classSchema>;
const fileSchema = z.record(z.string(), z.strictObject({ class: classSchema, digest: z.string() }));

export type ToolClasses = {
  /** Undefined when nobody said it of this tool, or its description or its arguments changed since. */
  classOf(tool: string, digest: string | undefined): ToolClass | undefined;
  /** @param digest of the tool as it was shown; `undefined` as the class forgets what was said. */
  set(tool: string, digest: string, toolClass: ToolClass | undefined): void;
};

/** Kept in a file of its own and read at each use; one that does not read says nothing of any tool. */
export function createToolClasses(dataDir: string): ToolClasses {
  const path = join(dataDir, "tool-classes.json");
  const read = () => {
    try {
      return existsSync(path)
        ? (fileSchema.safeParse(JSON.parse(readFileSync(path, "utf8"))).data ?? {})
        : {};
    } catch {
      // A file that does not read says nothing of any tool, so each asks.
      return {};
    }
  };
  return {
    classOf(tool, digest) {
      const all = read();
      const said = Object.hasOwn(all, tool) ? all[tool] : undefined;
      return said && said.digest === digest ? said.class : undefined;
    },
    set(tool, digest, toolClass) {
      const { [tool]: _before, ...others } = read();
      const next = toolClass ? { ...others, [tool]: { class: toolClass, digest } } : others;
      writeAtomically(path, `${JSON.stringify(next, null, 2)}\n`);
    },
  };
}

/** A tool that only reads runs; one that changes, or of which nobody said anything, waits. */
export function judgeToolClass(tool: string, toolClass: ToolClass | undefined): Verdict {
  const verdict = toolClass === "reads" ? "covered" : "new";
  const reason = {
    reads: "You said that this tool only reads.",
    changes: "You said that this tool changes something.",
    unset: "Nobody said yet whether this tool, as its server describes it now, only reads.",
  }[toolClass ?? "unset"];
  return { verdict, units: [{ text: tool, verdict, reason, source: "tool-class" }] };
}
