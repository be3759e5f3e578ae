/** Recognizes the few commands that never run, whoever approves: they wipe a machine, a home or our own records. */
import { foldName } from "../paths/fold-name.ts";
import { isWithin } from "../paths/path-style.ts";
import { resolvePathIn, writtenPath } from "./path-place.ts";
import type { Scene } from "./policy-context.ts";
import { programOf } from "./unit-name.ts";

const rawDisk =
  /^(?:\/dev\/(?:r?disk\d|[shv]d[a-z]|xvd[a-z]|nvme\d|mmcblk\d|md\d|dm-\d|mapper\/|sr\d|zd\d|nbd\d|ram\d|mem$|kmem$|port$|disk\/)|\\\\\.\\physicaldrive)/i;
const diskMakers = /^(?:mkfs(?:[.-].*)?|mke2fs|mkswap|mkdosfs|mkntfs|newfs(?:_.*)?|wipefs|blkdiscard)$/;
const macDisk = /^(?:\/dev\/)?r?disk\d/;
const changesPartitions = /^(?:add|create|destroy|migrate|remove|resize)$/;
const erasesDisk = /^(?:erase|partition|zero|random|secureErase|reformat)/i;
const removers = new Set(["rm", "srm", "shred", "rimraf", "del", "rd"]);
const rightsChangers = new Set(["chmod", "chown", "chgrp", "chattr", "setfacl"]);
const writers = new Set([
  "dd",
  "cp",
  "mv",
  "tee",
  "shred",
  "truncate",
  "install",
  "ln",
  "fdisk",
  "sfdisk",
  "cfdisk",
  "parted",
  "gdisk",
  "sgdisk",
  "cryptsetup",
  "hdparm",
  "diskutil",
  "badblocks",
  "pv",
  "rsync",
  "ddrescue",
]);

/** Whether removing everything below this place would lose a machine, a home or the workspace's surroundings. */
function isCatastrophic(path: string, { context }: Scene): boolean {
  const { home, workspace } = context;
  const folded = foldName(path);
  if (path === "/" || isWithin(foldName(home), folded)) return true;
  if (isWithin(path, workspace)) return false;
  return isWithin(foldName(workspace), folded) || isSystemPlace(path);
}

/** The directories that a target of a recursive command stands for; `dir/*` stands for `dir`. */
function targetPlaces(target: string, scene: Scene): string[] {
  const trimmed = target.replace(/\/+$/, "");
  const last = trimmed.slice(trimmed.lastIndexOf("/") + 1);
  const everything = /^(?:\.?\*+|\.\[.*|\{.*|\.\?+\*?|\?+)$/.test(last);
  let path = target;
  if (everything) path = trimmed.slice(0, trimmed.length - last.length) || ".";
  else if (/[*?[{]/.test(last) && /^\/+[^/]*$/.test(trimmed)) path = "/";
  if (everything && path === ".") return [];
  if (/[*?[]/.test(path)) return [];
  return scene.cwds.flatMap((cwd) => {
    const real = resolvePathIn(path, cwd, scene.context);
    const written = writtenPath(path, cwd, scene.context);
    return real === undefined || real === written ? [written] : [written, real];
  });
}

/** Only such a word can lead out of the folder it is used in; all others are harmless and need no look. */
const leavesFolder = /^[/\\~.]|\.\.|[*?[{]|^[a-z]:/i;

function hitsCatastrophe(all: readonly string[], scene: Scene): boolean {
  const targets = [...new Set(all.filter((target) => leavesFolder.test(target)))];
  return targets.some(
    (target) =>
      /^~[a-z_][\w-]*\/?$/.test(target) ||
      targetPlaces(target, scene).some((place) => isCatastrophic(place, scene)),
  );
}

function isRecursive(args: readonly string[]): boolean {
  return args.some(
    (arg) =>
      /^-[a-zA-Z]*[rR]/.test(arg) || /^--r/.test(arg) || arg === "--no-preserve-root" || /^\/s$/i.test(arg),
  );
}

function operandsOf(args: readonly string[]): string[] {
  return args.filter((arg) => !/^-./.test(arg));
}

function denyDisk(name: string, args: readonly string[]): string | undefined {
  if (diskMakers.test(name)) return `${name} erases a disk.`;
  if (name === "asr" && args.some((arg) => /^--?erase$/i.test(arg))) return "asr --erase erases a disk.";
  if (
    name === "gpt" &&
    args.some((arg) => macDisk.test(arg)) &&
    args.some((arg) => changesPartitions.test(arg))
  )
    return "gpt changes the partitions of a disk.";
  if (name === "diskutil" && erasesDisk.test(args.find((arg) => !arg.startsWith("-")) ?? ""))
    return "diskutil erases a disk.";
  if (!writers.has(name)) return undefined;
  const targets = args.map((arg) => arg.replace(/^(?:of|--output|-o)=?(?=\/)/, ""));
  const written =
    name === "dd" ? args.filter((arg) => arg.startsWith("of=")).map((arg) => arg.slice(3)) : targets;
  return written.some((arg) => rawDisk.test(arg)) ? "It writes to a raw disk." : undefined;
}

function denyFind(args: readonly string[], scene: Scene): string | undefined {
  const acts = args.some(
    (arg, at) =>
      arg === "-delete" ||
      (/^-(?:exec|ok)(?:dir)?$/.test(arg) && removers.has(programOf(args[at + 1] ?? ""))),
  );
  const expression = args.findIndex((arg) => /^-[a-z]|^[!(]/.test(arg));
  const starts = expression < 0 ? args : args.slice(0, expression);
  return acts && hitsCatastrophe(starts, scene)
    ? "It deletes everything below a system folder, a home or a parent."
    : undefined;
}

/**
 * Why a command never runs, or undefined. `args` are decoded words (homes already replaced, patterns kept).
 */
export function findDenial(name: string, args: readonly string[], scene: Scene): string | undefined {
  const disk = denyDisk(name, args);
  if (disk !== undefined) return disk;
  const operands = operandsOf(args);
  if (removers.has(name)) {
    if (args.some((arg) => /^--no-pres/.test(arg)) && hitsCatastrophe(operands, scene))
      return "It wipes the whole file system.";
    if (isRecursive(args) && hitsCatastrophe(operands, scene))
      return "It wipes a system folder, a home or a parent of the workspace.";
  }
  if (rightsChangers.has(name) && isRecursive(args) && hitsCatastrophe(operands, scene)) {
    return "It changes the rights of a system folder, a home or a parent of the workspace.";
  }
  if (name === "mv" && hitsCatastrophe(operands.slice(0, -1), scene))
    return "It moves a system folder or a home away.";
  if (
    name === "rsync" &&
    args.some((arg) => /^--del/.test(arg)) &&
    hitsCatastrophe(operands.slice(-1), scene)
  ) {
    return "It wipes a system folder, a home or a parent of the workspace.";
  }
  return name === "find" ? denyFind(args, scene) : undefined;
}

/** Whether a path is a raw disk, which nothing may write to. */
export function isRawDisk(path: string): boolean {
  return rawDisk.test(path);
}

const systemFolder =
  /^(?:\/private|\/system\/volumes\/data)?\/(?:bin|sbin|usr|etc|boot|lib|lib32|lib64|sys|proc|dev|var|system|library|applications|windows|volumes|network)(?:\/[^/]*)?$/;
const windowsFolder =
  /^\/[a-z]:\/(?:windows|users|program files(?: \(x86\))?|programdata|boot|recovery|system volume information|documents and settings)(?:\/[^/]*)?$/;
const homeFolder = /^(?:\/system\/volumes\/data)?\/(?:home|users)\/[^/]+$/;
/** Where Homebrew and MacPorts keep everything they installed. */
const packages = /^\/opt\/(?:homebrew|local)(?:\/[^/]*)?$/;
/** A folder of the root, or a whole drive, share or machine. */
const top = /^\/(?:[^/]+|unc:\/[^/]+(?:\/[^/]+)?)$/;

/** @param path absolute and normalized, in the app's form */
function isSystemPlace(path: string): boolean {
  const folded = foldName(path);
  if (folded === "/tmp") return false;
  return [systemFolder, windowsFolder, homeFolder, packages, top].some((each) => each.test(folded));
}
