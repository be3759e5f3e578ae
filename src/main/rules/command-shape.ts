/** What commands must have in common to be decided together: the shape of the one unit that the policy reads in them. */
import { collectScripts } from "../policy/collect-units.ts";
import type { PolicyContext } from "../policy/policy-context.ts";
import type { ShellUnit } from "../policy/shell-unit.ts";

/** Programs whose first argument says what they do; of any other the arguments are just what it does it to. */
const withSubcommand =
  /^(git|gh|npm|npx|pnpm|yarn|bun|deno|cargo|go|make|pip|uv|poetry|docker|podman|kubectl|helm|terraform|brew|apt|apt-get|systemctl)$/;

/** Longer ones are not read for this; they stand alone. */
const longestCommand = 8_192;

/**
 * The program, its sub-command, its flags, what it assigns and where it redirects, as parsed: `touch a` and `touch b`
 * have one shape, `npm test` and `npm publish` do not, nor `touch a` and `touch a;npm publish`.
 * @returns nothing for more than one unit and for what cannot be read: those fold with nothing.
 */
export function commandShape(command: string, context: PolicyContext): string {
  if (command.length > longestCommand || context.shell !== "bash") return "";
  const { units } = collectScripts(command, context);
  const [unit, ...others] = units;
  return unit === undefined || others.length > 0 ? "" : shapeOf(unit, command);
}

function shapeOf({ text, words, assignments, redirects, problems }: ShellUnit, command: string): string {
  // What stands around the unit, such as a loop or a background, is not told by its words.
  if (problems.length > 0 || text.trim() !== command.trim()) return "";
  const [program, ...rest] = words;
  if (!program || words.some((word) => word.problem !== undefined)) return "";
  const flags = rest.filter(({ value }) => value.startsWith("-")).map(({ value }) => value);
  const subcommand = withSubcommand.test(program.value)
    ? rest.filter(({ value }) => !value.startsWith("-")).slice(0, 1)
    : [];
  const parts = [
    ...assignments.map(({ name, value }) => `${name}=${value.text}`),
    program.value,
    ...subcommand.map(({ value }) => value),
    ...flags.sort(),
    ...redirects.map(({ operator, target }) => `${operator}${target?.text ?? ""}`),
  ];
  return parts.join(" ");
}
