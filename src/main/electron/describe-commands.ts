/** The question before running commands are ended, with each command as one short line. */
import { oneLine } from "./one-line.ts";

const mostNamed = 5;

/** Message and detail for a system dialog. @param commands at least one. */
export function describeCommands(commands: readonly string[]): { message: string; detail: string } {
  const named = commands.slice(0, mostNamed).map((command) => `• ${oneLine(command)}`);
  const others = commands.length - named.length;
  return {
    message: commands.length === 1 ? "A command is running" : `${commands.length} commands are running`,
    detail: [
      ...named,
      ...(others > 0 ? [`and ${others} more`] : []),
      "",
      "Quitting ends what runs. Approvals keep waiting, and threads go on when you come back. Wait keeps Countersign open.",
    ].join("\n"),
  };
}
