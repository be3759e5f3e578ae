/** The policy for tools that are neither a shell nor files: what the agent's configuration says, else `new`. */
import type { ShellVerdict, Verdict } from "./verdict.ts";

/** What is configured for one tool, with the reason a person is told. */
type ToolSetting = { verdict: Verdict; reason?: string };

const defaults: Record<Verdict, string> = {
  safe: "This tool is set to run without asking.",
  covered: "This tool is covered by a setting.",
  new: "Nothing is known about what this tool does.",
  ask: "This tool is set to ask each time.",
  deny: "This tool is switched off.",
};

/** Judges a call of a named tool; a tool without a setting is `new`. */
export function judgeTool(name: string, settings: Readonly<Record<string, ToolSetting>>): ShellVerdict {
  const setting = Object.hasOwn(settings, name) ? settings[name] : undefined;
  const verdict = setting?.verdict ?? "new";
  return { verdict, units: [{ text: name, verdict, reason: setting?.reason ?? defaults[verdict] }] };
}
