/** What `threads home` prints for a person: a preview with its ways and conflicts, one file, and both sides of a conflict. */
import type { Output } from "../../shared/contract/contract.ts";
import { homeWaySchema } from "../../shared/contract/home.ts";
import { counted } from "../../shared/counted.ts";
import { visibleText } from "../base/visible-text.ts";

type Preview = Output<"home.preview">;

/** What there is to bring home, and what each way would do or what stands against it. */
export function describePreview(preview: Preview): string {
  const { branch, target, folder, ahead, behind, uncommitted, files, filesCount, ways, last } = preview;
  const side = (name: string | undefined) => visibleText(name ?? "no branch");
  const closed = (names: readonly string[], count: number) => [
    ...names.map((name) => `    ${visibleText(name)}`),
    ...(count > names.length ? [`    and ${count - names.length} more`] : []),
  ];
  return [
    `From ${side(branch)} to ${side(target)} in ${visibleText(folder)}: ${ahead} ahead, ${behind} behind, ${counted(uncommitted, "file")} not committed`,
    `Changes: ${counted(filesCount, "file")}`,
    ...files.map(describeChange),
    ...(filesCount > files.length ? [`  and ${filesCount - files.length} more`] : []),
    ...describeConflicts(preview.conflicts),
    "Ways:",
    ...homeWaySchema.options.flatMap((way) => {
      const state = ways[way];
      return "why" in state
        ? [`  ${way}: closed, ${state.why}`, ...closed(state.names, state.namesCount)]
        : [`  ${way}: ${counted(state.files, "file")} of the folder`];
    }),
    "What is committed here is not signed, and none of your git's hooks run.",
    ...("command" in preview.pullRequest
      ? [`Pull request: ${visibleText(preview.pullRequest.command)}`]
      : []),
    ...(last ? [`Brought home last (${last.way}); to undo it: --undo ${last.id}`] : []),
    `Nothing has moved. To do exactly this: --way WAY --digest ${preview.digest}`,
  ].join("\n");
}

function describeChange({ path, state, movedFrom, lines, modeChanged, committed }: Preview["files"][number]) {
  return [
    `  ${visibleText(path)}  ${state}`,
    ...(movedFrom === undefined ? [] : [`from ${visibleText(movedFrom)}`]),
    ...(lines ? [`+${lines.added} -${lines.removed}`] : []),
    ...(modeChanged ? ["permission or kind changed"] : []),
    ...(committed ? [] : ["not committed"]),
  ].join("  ");
}

function describeConflicts(conflicts: Preview["conflicts"]): string[] {
  if (conflicts.length === 0) return [];
  const isOpen = conflicts.some(({ answerable, answer }) => answerable && answer === undefined);
  return [
    `Conflicts: ${counted(conflicts.length, "file")}`,
    ...conflicts.map(({ path, answerable, answer }) => {
      const said = answer === undefined ? "no answer" : `the ${answer}'s version`;
      return `  ${visibleText(path)}  ${answerable ? said : "not to be answered here"}`;
    }),
    ...(isOpen
      ? ["  To answer: --take folder=PATH or --take thread=PATH for each; --conflict PATH shows both"]
      : []),
  ];
}

const linesOf = (mark: string, text: string): string[] =>
  text === ""
    ? []
    : text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => `${mark}${visibleText(line)}`);

/** Its changes, each with the number by which it is put back. */
export function describeFile({ why, hunks, version }: Output<"home.file">): string {
  const changes = hunks.flatMap(({ before, after, beforeLine, afterLine }, at) => [
    `@@ -${beforeLine} +${afterLine} @@ ${at + 1}`,
    ...linesOf("-", before),
    ...linesOf("+", after),
  ]);
  const said = why === undefined ? "The text is the same." : `No text is shown: ${why}.`;
  return [
    ...(changes.length === 0 ? [said] : changes),
    `Nothing has moved. To put it back in the worktree: --put-back ${changes.length === 0 ? "all" : "all|NUMBER"} --digest ${version}`,
  ].join("\n");
}

/** Both versions, whole. */
export function describeConflict(shown: Output<"home.conflict">): string {
  if ("why" in shown) return `No text is shown: ${shown.why}.`;
  return [
    "The folder's version:",
    ...linesOf("  ", shown.folder),
    "The thread's version:",
    ...linesOf("  ", shown.thread),
  ].join("\n");
}
