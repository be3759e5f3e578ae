/** What a person may say of the places of confined commands: folders to write in that are there, and whole paths to hide. */
import { isAbsolute } from "node:path";
import type { Settings } from "../../shared/contract/console.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import { realOf } from "../paths/real-of.ts";
import { problemOfFolder } from "../sandbox/named-folders.ts";

type Places = Partial<Pick<Settings, "writableFolders" | "hiddenPaths">>;
export type CheckPlaces = (patch: Places) => Places;

/** @returns a check that gives the real paths back, since those are what a command is started with */
export function createPlaceCheck(around: { home: string; dataDir: string }): CheckPlaces {
  return ({ writableFolders, hiddenPaths }) => {
    const problem = writableFolders?.flatMap((path) => problemOfFolder(path, around) ?? [])[0];
    if (problem !== undefined)
      throw new ContractError("invalid-input", problem, { field: "writableFolders" });
    const relative = hiddenPaths?.find((path) => !isAbsolute(path));
    if (relative !== undefined) {
      const text = `${relative} is no whole path. It begins with “/”.`;
      throw new ContractError("invalid-input", text, { field: "hiddenPaths" });
    }
    return {
      ...(writableFolders && {
        writableFolders: [...new Set(writableFolders.map((path) => realOf(path) ?? path))],
      }),
      ...(hiddenPaths && { hiddenPaths }),
    };
  };
}
