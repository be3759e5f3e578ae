/** Decides which variables a command may set for the commands that follow. */
import type { UnitAssignment } from "./shell-unit.ts";

const harmlessNames =
  /^(?:CI|DEBUG|NODE_ENV|RAILS_ENV|RACK_ENV|APP_ENV|GO_ENV|MIX_ENV|FORCE_COLOR|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|COLUMNS|LINES|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|RUST_BACKTRACE|RUST_LOG|LOG_LEVEL|VERBOSE|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|GIT_TERMINAL_PROMPT|HUSKY|PORT|NPM_CONFIG_LOGLEVEL|npm_config_loglevel)$/;
const harmlessValue = /^[A-Za-z0-9_.,:@+=*-]*$/;
/** In other encodings half of a letter can be a quote or a backslash, and bash would read the next line another way. */
const locale = /^(?:C|POSIX|(?:C|[a-z]{2,3}(?:_[A-Z]{2})?)\.(?:UTF-8|utf8|utf-8|UTF8))?$/;
const timeZone = /^[A-Za-z_+0-9-]+(?:\/[A-Za-z_+0-9-]+){0,2}$/;

/** Why an assignment always asks, or undefined when both its name and its value are harmless. */
export function findAssignmentProblem(assignment: UnitAssignment): string | undefined {
  const { name, value, plain } = assignment;
  if (!plain) return "The assignment has a subscript, a list or an addition.";
  if (value.problem !== undefined) return value.problem;
  if (!harmlessNames.test(name)) return `Setting ${name} can change what a command does.`;
  if (/^L(?:ANG|C_[A-Z]+)$/.test(name))
    return locale.test(value.value) ? undefined : `${name} sets an encoding that may not be UTF-8.`;
  if (harmlessValue.test(value.value)) return undefined;
  return name === "TZ" && timeZone.test(value.value)
    ? undefined
    : `The value of ${name} is not a plain word.`;
}
