/** Electron's fuses: what is switched off in the program itself, so that no file and no variable can switch it on. */
import { FuseV1Options, FuseVersion, flipFuses } from "@electron/fuses";

/** Every fuse by name; a new one in a later Electron fails the packaging until it stands here. */
const fuses = {
  [FuseV1Options.RunAsNode]: false,
  // The app has no cookies, and on macOS the encryption would ask the keychain at every start.
  [FuseV1Options.EnableCookieEncryption]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // Faster checks of memory in WebAssembly; switching it off would only cost time.
  [FuseV1Options.WasmTrapHandlers]: true,
};

/** Sets all fuses of the program. @throws Error when the program has fuses that are not named above */
export function setFuses(program) {
  return flipFuses(program, { version: FuseVersion.V1, strictlyRequireAllFuses: true, ...fuses });
}
