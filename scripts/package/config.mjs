/** What electron-builder is told, for one system at a time: what goes in, and how the result is named and signed. */
import { join } from "node:path";
import { root } from "../setup/project.mjs";
import { afterExtract, afterPack } from "./after-pack.mjs";

const resources = join(root, "packaging");

/**
 * Of the two packages with native code, all that nobody needs at run time, and all of other systems. electron-builder
 * has a variable for the system too, but it names the one that builds.
 */
function withoutNeedless(platform) {
  const terminal = platform === "linux" ? "**" : `!(${platform}-\${arch})`;
  return [
    "!**/node_modules/node-addon-api{,/**/*}",
    "!**/*.{md,map,pdb,gyp,h,hpp,cc,cpp}",
    "!**/node_modules/better-sqlite3/{build,deps,src}{,/**/*}",
    `!**/node_modules/better-sqlite3/prebuilds/!(${platform}-\${arch}.node)`,
    "!**/node_modules/node-pty/{build,deps,node_modules,scripts,src,third_party,typings}{,/**/*}",
    "!**/node_modules/node-pty/lib/**/*.test.js",
    `!**/node_modules/node-pty/prebuilds/${terminal}{,/**/*}`,
  ];
}

function files(platform, { build, ptyNode }) {
  const common = ["package.json", { from: build, to: "out" }, ...withoutNeedless(platform)];
  if (platform !== "linux") return common;
  // There is no prebuilt one for Linux: it is compiled, and where it was compiled decides what it runs on.
  return [...common, { from: ptyNode, to: "node_modules/node-pty/build/Release", filter: ["pty.node"] }];
}

/**
 * @param {"darwin" | "win32" | "linux"} platform
 * @param {object} options `build`: the clean build; `output`: where results go; `electronDist`: an Electron folder, or
 *   undefined to have it downloaded; `ptyNode`: the folder of the pty.node for Linux; `isSigned`: whether the environment
 *   holds what signing needs; `updates`: where newer versions are published, as
 *   electron-builder's publish settings, or undefined; `homepage`: where people find the project;
 *   `azure`: settings of Azure Trusted Signing
 */
export function packageConfig(
  platform,
  { build, output, electronDist, ptyNode, isSigned = false, updates, homepage, azure },
) {
  const name = `Countersign-\${version}-\${os}-\${arch}${isSigned ? "" : "-unsigned"}.\${ext}`;
  return {
    appId: "io.github.countersign",
    productName: "Countersign",
    copyright: "Countersign contributors",
    artifactName: name,
    electronDist,
    directories: { buildResources: resources, output },
    files: files(platform, { build, ptyNode }),
    asar: { smartUnpack: false },
    asarUnpack: ["**/*.node", "**/node_modules/node-pty/**"],
    // A certificate that cannot be used ends the packaging: what is not called unsigned must be signed.
    forceCodeSigning: isSigned,
    npmRebuild: false,
    buildDependenciesFromSource: false,
    nodeGypRebuild: false,
    afterExtract,
    afterPack,
    // A build that nobody signed gets no address to update from, so it cannot replace itself.
    publish: isSigned && updates !== undefined ? updates : null,
    extraMetadata: homepage === undefined ? {} : { homepage },
    toolsets: { appimage: "1.0.3" },
    mac: macOptions(isSigned),
    dmg: { sign: isSigned, writeUpdateInfo: false },
    win: {
      icon: join(resources, "icon.ico"),
      target: ["nsis"],
      ...(azure === undefined ? {} : { azureSignOptions: azure }),
    },
    nsis: {
      oneClick: false,
      perMachine: false,
      allowToChangeInstallationDirectory: true,
      buildUniversalInstaller: false,
    },
    linux: linuxOptions(),
    deb: { priority: "optional", packageCategory: "devel" },
    rpm: { packageCategory: "Development/Tools" },
  };
}

function macOptions(isSigned) {
  return {
    icon: join(resources, "icon.icns"),
    category: "public.app-category.developer-tools",
    target: ["dmg", "zip"],
    minimumSystemVersion: "13.0",
    // Without an identity there is no team, and the hardened runtime would refuse our native modules.
    hardenedRuntime: isSigned,
    gatekeeperAssess: false,
    entitlements: join(resources, "entitlements.plist"),
    entitlementsInherit: join(resources, "entitlements.plist"),
    notarize: isSigned,
    // "-" signs without an identity: Apple silicon starts nothing unsigned, and notifications need a signature.
    ...(isSigned ? {} : { identity: "-" }),
  };
}

function linuxOptions() {
  return {
    icon: join(resources, "icons"),
    executableName: "countersign",
    category: "Development",
    synopsis: "Many local agents, one approval queue",
    syncDesktopName: true,
    // The default of the AppImage would be --no-sandbox.
    executableArgs: [],
    target: ["deb", "rpm", "AppImage"],
  };
}
