/** Tells a search for something from a search that would print whole files, hidden secrets included. */
import { isWithin, resolvePathIn } from "./path-place.ts";
import type { ProfileReading } from "./profiles/flag-profile.ts";
import type { ShellContext } from "./shell-context.ts";

const searchers = new Set(["grep", "egrep", "fgrep", "rg"]);
const recursive = ["-r", "-R", "--recursive", "--dereference-recursive"];
const unhidden = ["-u", "--hidden", "--unrestricted", "--no-ignore", "--no-ignore-vcs"];
const namesOnly = [
  "-l",
  "-L",
  "-c",
  "-q",
  "--files-with-matches",
  "--files-without-match",
  "--count",
  "--quiet",
  "--silent",
  "--files",
];
const secretLines =
  "aws_secret_access_key=api_key=apikey=access_token=auth_token=client_secret=db_password=passwd=private key=credential=bearer=npm_token=github_token=database_url=";

/** The longest run of plain letters in a search pattern, which any matching line has to hold. */
function longestLiteral(pattern: string): string {
  if (pattern.includes("|") || pattern.includes("\n")) return "";
  const runs = pattern.replace(/\\[A-Za-z<>]|\[[^\]]*\]|.[*?{]/g, " ").match(/[\w-]+(?: [\w-]+)*/g) ?? [];
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), "");
}

/** At the top of the workspace a pattern has to be telling; below it only an empty one is too broad. */
function isBroad(pattern: string, atTop: boolean): boolean {
  const literal = longestLiteral(pattern).toLowerCase();
  return atTop ? literal.length < 3 || secretLines.includes(literal) : !/[a-z0-9]/.test(literal);
}

/**
 * Why a search that descends into folders may print secrets: it follows links, or it covers the workspace's root
 * (where files like `.env` live) with a pattern that matches nearly everything or the usual lines of secrets.
 */
export function describeBroadSearch(
  name: string,
  reading: ProfileReading,
  scene: { context: ShellContext; cwds: readonly string[] },
): string | undefined {
  if (!searchers.has(name)) return undefined;
  const has = (flags: readonly string[]) => flags.some((flag) => reading.flags.has(flag));
  if (reading.flags.has("-R") || reading.flags.has("--dereference-recursive"))
    return "The search follows links, which may lead outside.";
  const descends =
    name === "rg" ? has(unhidden) : has(recursive) || reading.content.some((word) => word.glob);
  if (!descends || has(namesOnly)) return undefined;
  const roots =
    reading.content.length === 0 ? ["."] : reading.content.map((word) => (word.glob ? "." : word.value));
  const top = roots.some((root) =>
    scene.cwds.some((cwd) => {
      const real = resolvePathIn(root, cwd, scene.context);
      return real !== undefined && isWithin(scene.context.workspace, real);
    }),
  );
  const invert = reading.flags.has("-v") || reading.flags.has("--invert-match");
  const broad = reading.patterns.length === 0 || reading.patterns.some((pattern) => isBroad(pattern, top));
  return invert || broad
    ? "The search is so wide that it may print the secrets in those folders."
    : undefined;
}
