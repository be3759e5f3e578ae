/** What is proposed to a person about a thread's work: the message of a commit, and the command that would push a branch and ask for a pull request. That is only ever written here, and run by nobody. */
import { shellWord } from "../base/shell-word.ts";
import { branchOf } from "./home-sides.ts";
import type { HomePlan } from "./plan-home.ts";
import { mustGit, type SafeGit } from "./safe-git.ts";

/** Why there is no such command. */
export type NoPullRequest = "no-branch" | "no-remote" | "uncommitted" | "nothing";

/** What stands in one line, without what a terminal would act upon. */
const oneLine = (text: string): string => text.replace(/[\p{C}\s]+/gu, " ").trim();

/** @param title of the pull request */
export async function pullRequestOf(
  git: SafeGit,
  { sides, snapshot, ahead }: Pick<HomePlan, "sides" | "snapshot" | "ahead">,
  title: string,
): Promise<{ command: string } | { why: NoPullRequest }> {
  const { place, ref } = sides.tree;
  if (ref === undefined) return { why: "no-branch" };
  if (snapshot.uncommitted.length > 0) return { why: "uncommitted" };
  if (ahead === 0) return { why: "nothing" };
  const remotes = (await mustGit(git, place, ["remote"]))
    .split("\n")
    .filter((name) => /^\w[\w.-]*$/.test(name));
  const remote = remotes.includes("origin") ? "origin" : remotes[0];
  if (remote === undefined) return { why: "no-remote" };
  const target = branchOf(sides.folder.ref);
  const words = [
    `gh pr create --head=${shellWord(branchOf(ref)!)}`,
    ...(target === undefined ? [] : [`--base=${shellWord(target)}`]),
    `--title=${shellWord(oneLine(title) || branchOf(ref)!)}`,
    "--body=''",
  ];
  return { command: `git push --set-upstream ${remote} ${shellWord(`${ref}:${ref}`)} && ${words.join(" ")}` };
}

const longestSubject = 72;
const mostListed = 20;

/** @param title of the thread; may be empty */
export function proposeMessage(title: string, files: readonly string[]): string {
  const words = title.replace(/[\p{C}\s]+/gu, " ").trim() || "Changes of a thread";
  const letters = [...words];
  const subject =
    letters.length > longestSubject ? `${letters.slice(0, longestSubject - 1).join("")}…` : words;
  const more = files.length - mostListed;
  const listed = [
    ...files.slice(0, mostListed).map((name) => `- ${name.replace(/\p{C}+/gu, " ")}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
  return [subject, ...(listed.length > 0 ? ["", ...listed] : [])].join("\n");
}
