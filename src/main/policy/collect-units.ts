/** Walks a parsed bash script and lists every command in it, nested scripts included, as units to judge. */
import {
  type AndOr,
  type Command,
  type CommandNode,
  forEachChild,
  type ParsedScript,
  type PipelineNode,
  type Statement,
  type SyntaxNode,
} from "unbash";
import { decodeIn, plainWord, readCommand, readRedirects } from "./command-pieces.ts";
import { type DirectoryChange, followDirectory, mergeDirectories } from "./directory-change.ts";
import { type ForLoop, readRounds } from "./loop-rounds.ts";
import {
  callsItself,
  describeDialectProblem,
  describeNodeProblem,
  describeTestWords,
} from "./node-problems.ts";
import type { ReadScript } from "./plain/agreement.ts";
import { readScript } from "./plain/read-script.ts";
import { indexWords } from "./plain/same-word.ts";
import type { PolicyContext } from "./policy-context.ts";
import { addProblem, addUnit, partOf, type ScriptWalk, startWalk, wholeOf } from "./script-walk.ts";
import type { ShellUnit } from "./shell-unit.ts";
import { type BareUnit, unwrapUnit } from "./unwrap-unit.ts";

const maxScriptDepth = 6;

/** The units of a command in source order, and every script in it, for other readers to confirm. */
export type CollectedUnits = { units: ShellUnit[]; scripts: ReadScript[] };

type Directories = { onSuccess: readonly string[]; always: readonly string[] };

/** Lists the units of a command in source order. What cannot be parsed becomes an asking unit. */
export function collectUnits(command: string, context: PolicyContext): ShellUnit[] {
  return collectScripts(command, context).units;
}

/** Like `collectUnits`, with the scripts that the units come from. */
export function collectScripts(command: string, context: PolicyContext): CollectedUnits {
  const walk = startWalk(command, context);
  walkSource(walk, command);
  forgetLastChange(walk.units);
  return { units: walk.units, scripts: walk.scripts };
}

/** A change of directory that nothing follows changes nothing: the shell ends there. */
function forgetLastChange(units: readonly ShellUnit[]): void {
  const last = units.at(-1);
  if (last?.leadsOutside !== undefined)
    last.problems = last.problems.filter((each) => each !== last.leadsOutside);
}

function walkSource(walk: ScriptWalk, source: string): void {
  const { paths, tools } = walk.context;
  const script = readScript(source, paths.name !== "posix" || tools !== "gnu");
  if (typeof script === "string") {
    addProblem(walk, wholeOf(walk, source), script);
    return;
  }
  const { plain, parsed } = script;
  walk.scripts.push(script);
  const plainWords = "script" in plain ? indexWords(plain.script) : undefined;
  walkScript({ ...walk, source, plainWords, loops: new Map() }, parsed);
}

function walkScript(walk: ScriptWalk, script: ParsedScript): void {
  if (walk.depth > maxScriptDepth) {
    addProblem(walk, wholeOf(walk, walk.source), "Scripts are nested too deeply.");
    return;
  }
  for (const error of script.errors ?? []) {
    addProblem(
      walk,
      partOf(walk, { pos: error.pos, end: error.pos + 80 }),
      `The command is not valid bash: ${error.message}.`,
    );
  }
  walkStatements(walk, script.commands);
}

function walkStatements(walk: ScriptWalk, statements: readonly Statement[]): void {
  for (const statement of statements) {
    const before = walk.cwds;
    if (statement.background && walk.inLoop) {
      addProblem(walk, partOf(walk, statement), "A loop that starts background jobs can flood the machine.");
    }
    if (statement.command.type === "AndOr") walkAndOr(walk, statement.command);
    else walk.cwds = walkPipeline(walk, statement.command).always;
    if (statement.background) walk.cwds = before;
  }
}

function walkAndOr(walk: ScriptWalk, node: AndOr): void {
  let state: Directories = { onSuccess: walk.cwds, always: walk.cwds };
  node.commands.forEach((command, index) => {
    const and = index > 0 && node.operators[index - 1] === "&&";
    walk.cwds = index === 0 || and ? state.onSuccess : state.always;
    const after = walkPipeline(walk, command);
    state = {
      onSuccess: index === 0 || and ? after.onSuccess : mergeDirectories(state.onSuccess, after.onSuccess),
      always: mergeDirectories(state.always, after.always),
    };
  });
  walk.cwds = state.always;
}

function walkPipeline(walk: ScriptWalk, node: PipelineNode): Directories {
  if (node.type !== "Pipeline") return walkNode(walk, node);
  const before = walk.cwds;
  let pipedFrom: ShellUnit | undefined;
  for (const command of node.commands) {
    walk.cwds = before;
    const first = walk.units.length;
    const after = walkNode(walk, command);
    const only = walk.units.length === first + 1 ? walk.units[first] : undefined;
    if (only !== undefined) only.pipedFrom = pipedFrom;
    pipedFrom = command.type === "Command" ? only : undefined;
    if (node.commands.length === 1) {
      walk.cwds = after.always;
      return { onSuccess: after.always, always: after.always };
    }
  }
  walk.cwds = before;
  return { onSuccess: before, always: before };
}

function walkNode(walk: ScriptWalk, node: CommandNode): Directories {
  if (node.type === "Command") {
    const change = walkCommand(walk, node);
    if (change === undefined) return { onSuccess: walk.cwds, always: walk.cwds };
    return { onSuccess: change.after, always: mergeDirectories(walk.cwds, change.after) };
  }
  const before = walk.cwds;
  const problem = describeNodeProblem(node) ?? describeDialectProblem(node, walk.dialect);
  const bomb = node.type === "Function" && callsItself(node);
  if (problem !== undefined) {
    addProblem(
      walk,
      partOf(walk, node),
      problem,
      bomb ? "A function starts copies of itself without end." : undefined,
    );
  }
  const loops = ["For", "While", "ArithmeticFor", "Select", "Function"].includes(node.type);
  const inner = { ...walk, inLoop: walk.inLoop || loops, within: true };
  if (node.type === "TestCommand") walkTest(inner, node);
  else if (node.type === "For") walkFor(inner, node);
  else walkChildren(inner, node);
  walk.cwds = node.type === "Subshell" ? before : inner.cwds;
  return { onSuccess: walk.cwds, always: walk.cwds };
}

/** The body is judged once for each value that the loop's variable takes, or once when it does not use it. */
function walkFor(walk: ScriptWalk, node: ForLoop): void {
  const values = (node.wordlist ?? []).map((word) => decodeIn(walk, word));
  node.wordlist?.forEach((word, at) => {
    const problem = values[at]!.problem;
    if (problem !== undefined) addProblem(walk, { ...partOf(walk, word), text: word.text }, problem);
    walkNested(walk, word);
  });
  for (const value of readRounds(walk, node, values)) {
    const loops = new Map([...walk.loops, [node.name.text, value]]);
    walkStatements({ ...walk, loops }, node.body.commands);
  }
}

function walkTest(walk: ScriptWalk, node: Extract<CommandNode, { type: "TestCommand" }>): void {
  const words = describeTestWords(node).map((word) =>
    typeof word === "string" ? plainWord(word) : decodeIn(walk, word),
  );
  addUnit(walk, partOf(walk, node), { words: [plainWord("[["), ...words] });
  walkChildren(walk, node);
}

/** Descends into everything below a node: lists become units, loose words must be literal. */
function walkChildren(walk: ScriptWalk, node: SyntaxNode): void {
  forEachChild(node, (child) => walkChild(walk, child));
}

function walkChild(walk: ScriptWalk, child: SyntaxNode): void {
  switch (child.type) {
    case "CompoundList":
      walkStatements(walk, child.commands);
      return;
    case "Word": {
      const problem = decodeIn(walk, child).problem;
      if (problem !== undefined) addProblem(walk, { ...partOf(walk, child), text: child.text }, problem);
      walkNested(walk, child);
      return;
    }
    case "Redirect":
    case "HereString":
    case "HereDoc":
      walkNested(walk, child);
      addUnit(walk, partOf(walk, child), readRedirects(walk, [child]));
      return;
    case "Command":
    case "Subshell":
    case "BraceGroup":
    case "If":
    case "For":
    case "ArithmeticFor":
    case "Select":
    case "While":
    case "Case":
    case "TestCommand":
    case "ArithmeticCommand":
    case "Redirected":
    case "Function":
    case "Coproc":
      walk.cwds = walkNode(walk, child).always;
      return;
    default:
      walkChildren(walk, child);
  }
}

/** Finds scripts inside expansions below a word, so that the deny scan and the card see them too. */
function walkNested(walk: ScriptWalk, node: SyntaxNode): void {
  forEachChild(node, (child) => {
    if (child.type === "Script") {
      const script = child as ParsedScript;
      const own = script.source !== undefined && {
        source: script.source,
        standsAt: walk.standsAt ?? node.pos,
      };
      walkScript({ ...walk, ...own, depth: walk.depth + 1 }, script);
    } else walkNested(walk, child);
  });
}

function walkCommand(walk: ScriptWalk, node: Command): DirectoryChange | undefined {
  const nested: ScriptWalk = { ...walk, units: [] };
  walkNested(nested, node);
  const unit: ShellUnit = {
    ...partOf(walk, node),
    ...readCommand(walk, node),
    ...((walk.within || walk.depth > 0) && { within: true }),
    cwds: walk.cwds,
  };
  const change = finishUnit(walk, unwrapUnit(unit));
  walk.units.push(...nested.units);
  return change;
}

/** Follows a script in a string, and notices `cd`. */
function finishUnit(walk: ScriptWalk, { unit, program, script }: BareUnit): DirectoryChange | undefined {
  if (script !== undefined) {
    const bare = unit.redirects.length + unit.assignments.length + unit.problems.length === 0;
    if (!bare) walk.units.push({ ...unit, words: [] });
    const before = walk.units.length;
    const inside = { ...walk, depth: walk.depth + 1, dialect: script.dialect, standsAt: unit.at };
    walkSource(inside, script.script);
    if (walk.units.length === before)
      walk.units.push({ ...unit, problems: ["The script holds no command."] });
    return undefined;
  }
  const change = program === "cd" ? followDirectory(unit, walk.context, walk.inLoop) : undefined;
  if (change?.problem !== undefined) {
    unit.problems.push(change.problem);
    if (change.outside && walk.depth === 0) unit.leadsOutside = change.problem;
  }
  walk.units.push(unit);
  return change;
}
