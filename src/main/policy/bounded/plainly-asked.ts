/** Looks through the whole text of a command that nobody can read for what it says plainly of secrets and of lost work. */
import { findLosingStatement } from "../beyond/losing-statements.ts";
import { findSecretFile, findSecretFolder } from "../secret-names.ts";

/** Whatever parts a name from the text around it, in any language that a command may hold. */
const between = /[\s'"`()<>|;&=,:{}[\]$\\/!*?@%]+/;

const losses = [
  /\b(?:rm|del|rmdir|rd)\b[^|;&\n]*?\s(?:-[a-z]*r|--recursive|\/s\b)/i,
  /\b(?:xargs|parallel|-exec(?:dir)?)\b[^;&\n]*?\b(?:rm|rmdir|unlink|mv)\b/,
  /\b(?:rmtree|rimraf|rm_rf|removeSync|rmSync|shred|srm|wipe|truncate|unlinkSync|fs\.rm|FileUtils\.rm\w*|deltree)\b/,
  /\bgit\b[^|;&\n]*?\b(?:reset|clean|checkout|restore|rebase|stash|gc|prune|reflog|filter-branch|filter-repo|update-ref|push)\b/,
  /\s-delete\b|--force\b|--hard\b/,
];

/** The environment of the process, which may hold what other programs were trusted with. */
const environment =
  /\b(?:printenv|environ|getenv|ENV|process\.env)\b|\b(?:env|export|set|declare|typeset)\s*(?:-[a-z]+\s*)?(?:$|[|;&)\n])/;

/**
 * Whether a text says that it deletes folders or loses work, prints the environment, or names what holds secrets. It is no
 * proof of the contrary: a program that nobody reads may do all of this without saying so.
 */
export function saysWhatIsAsked(text: string): boolean {
  return (
    environment.test(text) ||
    losses.some((loss) => loss.test(text)) ||
    findLosingStatement(text) !== undefined ||
    text
      .split(between)
      .some((name) => findSecretFile(name) !== undefined || findSecretFolder(name) !== undefined)
  );
}
