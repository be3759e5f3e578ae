/** Reads in what a confined command printed what the sandbox refused it. It is a reading of text: an offer to a person, which decides nothing. */
import { isAbsolute, relative, resolve } from "node:path";
import { type ConfinedWidth, type Grant, readWidth, type Width, writeWidth } from "../../shared/width.ts";
import { isWithin } from "../paths/path-style.ts";
import { widthToWrite } from "./guarded-places.ts";
import { inOneLook, oncePerLook } from "./remembered-entries.ts";
import { findRepositories } from "./repositories.ts";

export type Refusals = {
  /** As the command printed them. */
  readonly lines: readonly string[];
  /** How far it would have to reach for none of that to be refused. */
  readonly width: Width;
};

const mostLines = 5;
const longestLine = 300;
/** Of a longer line the beginning is read, so that no text holds the loop. */
const readChars = 2_000;
/** Of long output the end says why it failed. */
const readLines = 400;

/** Without a network or a socket of this machine these words can hardly mean another cause. */
const unreachable = [
  /\b(?:EAI_AGAIN|ENETUNREACH)\b/,
  /network is unreachable/i,
  /(?:could not|couldn't|unable to|failed to) resolve (?:host|proxy|name)/i,
  /temporary failure in name resolution/i,
  /name or service not known/i,
  /getaddrinfo ENOTFOUND/,
  /no such host\b/,
];
const noSocket = [
  /\bsocket\b.*operation not permitted/i,
  /\bEPERM\b.*\b(?:connect|listen|socket)\b/,
  /\b(?:connect|listen)\b.*\bEPERM\b/,
];
/** It acts for others, who are not confined. */
const service = /cannot connect to the docker daemon/i;
const isBusy = /device or resource busy/i;
/** macOS has one word for all that a profile refuses. */
const isReadOnly = (line: string, system: NodeJS.Platform) =>
  (system === "darwin" ? /operation not permitted/i : /read-only file system/i).test(line);
const ofNetwork = /:\d+\b/;

/** The texts of a line that may be the path it complains about. */
function pathsIn(line: string): string[] {
  const quoted = [...line.matchAll(/['‘"`]([^'’"`‘]+)['’"`]/g)].map(([, text]) => text ?? "");
  const before =
    /(?:^|: )([^:]+): (?:read-only file system|device or resource busy|operation not permitted)/i.exec(
      line,
    )?.[1];
  // Some say in front of it what they were about to do.
  return [...quoted, ...(before === undefined ? [] : [before, before.slice(before.lastIndexOf(" ") + 1)])];
}

const order = ["none", "workspace", "workspace and git", "outside"] as const;
type Need = (typeof order)[number] | Grant;

/** How far a line says that the command would have to reach; undefined where it says nothing of a refusal. */
function neededBy(line: string, { width, workspace, system = process.platform }: Where): Need | undefined {
  const { files, grant, folders } = readWidth(width);
  if (service.test(line)) return "outside";
  if (grant !== "network" && unreachable.some((words) => words.test(line))) return "network";
  if (noSocket.some((words) => words.test(line))) {
    const needed = system === "darwin" && ofNetwork.test(line) ? "network" : "sockets";
    if (grant !== needed) return needed;
  }
  if (!isReadOnly(line, system) && !isBusy.test(line)) return undefined;
  for (const path of pathsIn(line)) {
    const real = resolve(workspace, path);
    const below = relative(workspace, real);
    const isInside = below !== ".." && !below.startsWith("../") && !isAbsolute(below);
    if (!isInside && system !== "darwin" && /^\/(?:tmp|dev|proc)(?:\/|$)/.test(real)) continue;
    const isNamed = !isInside && folders.some((folder) => isWithin(real, folder));
    const needed = isInside ? widthToWrite(below) : isNamed ? "workspace" : "outside";
    // What it may write was refused by something else.
    if (order.indexOf(needed) > order.indexOf(files)) return needed;
    if (isInside && namedByGit(workspace).some((place) => isWithin(real, place))) return "outside";
  }
  return undefined;
}

/** What git's settings name in the workspace is guarded too, and no name tells that. */
const namedByGit = oncePerLook((workspace) => findRepositories(workspace).flatMap(({ content }) => content));

type Where = {
  readonly width: ConfinedWidth;
  readonly workspace: string;
  /** Whose words are read; this one's when left out. */
  readonly system?: NodeJS.Platform;
};

/** @returns undefined where nothing looks like a refusal of the sandbox: an errno alone is none, it takes a place that this width does not reach. */
export const findRefusals = (output: string, where: Where): Refusals | undefined =>
  inOneLook(() => readRefusals(output, where));

function readRefusals(output: string, where: Where): Refusals | undefined {
  const found = output
    .split("\n")
    .slice(-readLines)
    .flatMap((whole) => {
      const line = whole.slice(0, readChars);
      const needed = neededBy(line, where);
      return needed === undefined ? [] : [{ line: line.trim().slice(0, longestLine), needed }];
    });
  if (found.length === 0) return undefined;
  return {
    lines: [...new Set(found.map(({ line }) => line))].slice(0, mostLines),
    width: widthFor(
      where.width,
      found.map(({ needed }) => needed),
    ),
  };
}

/** As wide as all of it takes; there is one grant at a time. */
function widthFor(width: ConfinedWidth, needs: readonly Need[]): Width {
  const had = readWidth(width);
  const grants = new Set([had.grant, ...needs].filter((need) => need === "network" || need === "sockets"));
  const files = [had.files, ...needs].flatMap((need) => order.find((each) => each === need) ?? []);
  const widest = order[Math.max(...files.map((each) => order.indexOf(each)))] ?? "outside";
  if (widest === "outside" || grants.size > 1) return "outside";
  const [grant] = grants;
  // What only reads has no grants.
  return writeWidth({ ...had, files: widest === "none" ? "workspace" : widest, grant });
}
