/** Says what a call of the ledger was: a command or path by itself, anything else as the tool with its arguments. */

export function describeCall(tool: string, args: Record<string, unknown>): string {
  if (typeof args.command === "string") return args.command;
  const path = args.file_path ?? args.path;
  if (typeof path === "string") return `${tool} ${path}`;
  return `${tool} ${JSON.stringify(args)}`;
}
