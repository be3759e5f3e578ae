/** Recognizes tasks and subcommands whose name says that they throw away what a database or a folder of results holds: `rails db:drop`. */

import { findLosingStatement } from "./losing-statements.ts";
import { isNamesTaker, wordsOf } from "./publishing-names.ts";

/** Tools that change databases; with them each word that loses is about one. */
const ofDatabases = new Set(
  "prisma sequelize sequelize-cli knex typeorm mikro-orm drizzle-kit alembic sqlx diesel flyway liquibase dbmate goose migrate atlas hasura supabase mysqladmin django-admin phinx doctrine".split(
    " ",
  ),
);
const database =
  /^(?:db|dbs|database|databases|schema|schemas|migrate|migrates|migration|migrations|ecto|tables?)$/;
const loses =
  /^(?:drop|dropall|reset|fresh|refresh|recreate|flush|rollback|revert|undo|down|downgrade|clean|wipe|purge|truncate|delete|erase|zero|loss)$/;
/** Whatever it is about. */
const alwaysLoses = /^(?:destroy|wipe|nuke|obliterate)$/;
/** As one of the first words of a program, or as an option of it; what is in a cache can be had again. */
const deletes = /^(?:delete|purge|erase|undefine|shred)$/;
const deletingOption = /^--(?:del(?:ete)?|purge|erase|wipe|remove-source-files)(?:$|[=-])/;
/** What stands behind these is the name of a test, a package or something new. */
const takesName =
  /^(?:test|t|bench|add|install|i|remove|rm|uninstall|why|info|view|show|new|create|generate|revision|-m|--message|-n|--name)$/;

/** These empty a folder before they write there, and by which options it is named. */
const emptying: Readonly<Record<string, RegExp>> = {
  vitest: /^--coverage\.reportsDirectory$/i,
  playwright: /^--output$/,
  storybook: /^(?:-o|--output-dir)$/,
  vite: /^--outDir$/i,
  webpack: /^(?:-o|--output-path)$/,
  hugo: /^(?:-d|--destination)$/,
};

/** The word of a command that says that it throws data away, or undefined. */
export function findLosingName(program: string, args: readonly string[]): string | undefined {
  const isManaging = args.some((arg) => /(?:^|\/)manage\.py$/.test(arg));
  if (isNamesTaker(program) && !isManaging) return undefined;
  const isOfDatabases = ofDatabases.has(program) || isManaging;
  const end = args.findIndex((arg) => takesName.test(arg) || (!isOfDatabases && /[/=]/.test(arg)));
  const named = (end < 0 ? args : args.slice(0, end)).slice(0, 8);
  // What they run is code or SQL in one word.
  const stated = isOfDatabases || program === "rails" ? named.find(findLosingStatement) : undefined;
  if (stated !== undefined) return findLosingStatement(stated);
  const said = named.filter((arg) => (isOfDatabases ? !/^[./]/.test(arg) : /^[a-z]\S*$/i.test(arg)));
  const isOfCache = named.some((arg) => /cache/i.test(arg));
  const deleting = isOfCache
    ? undefined
    : (args.find((arg) => deletingOption.test(arg)) ??
      said.slice(0, 3).find((arg) => wordsOf(arg).some((word) => deletes.test(word))));
  if (deleting !== undefined) return deleting;
  const isAbout = isOfDatabases || said.some((arg) => wordsOf(arg).some((word) => database.test(word)));
  const isSchemaLoaded = (arg: string) => /schema[:.-]load/.test(arg);
  return said.find((arg) =>
    wordsOf(arg).some(
      (word) => alwaysLoses.test(word) || (isAbout && (loses.test(word) || isSchemaLoaded(arg))),
    ),
  );
}

/** The folder that a command empties before it writes there, as its options name it. */
export function findEmptied(program: string, args: readonly string[]): string | undefined {
  const option = Object.hasOwn(emptying, program) ? emptying[program]! : undefined;
  if (option === undefined) return undefined;
  const parts = args.flatMap((arg) => (arg.startsWith("-") ? arg.split(/=(.*)/s, 2) : [arg]));
  return parts.find((_, at) => option.test(parts[at - 1] ?? ""));
}
