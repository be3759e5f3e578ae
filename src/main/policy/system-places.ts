/** The folders of a system, of its people and of its disks: whoever wipes one wipes a machine. */
import { foldName } from "../paths/fold-name.ts";

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
export function isSystemPlace(path: string): boolean {
  const folded = foldName(path);
  if (folded === "/tmp") return false;
  return [systemFolder, windowsFolder, homeFolder, packages, top].some((each) => each.test(folded));
}
