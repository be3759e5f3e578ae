/** Whether Chromium's sandbox can start from this folder; the app never runs without it. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Why it cannot, with the ways out, or undefined. Without user namespaces for everybody, as on Ubuntu since 23.10, it needs
 * either `chrome-sandbox` as a set-uid program of root, or a profile of AppArmor that names this very program.
 * @param electron the path of the Electron program.
 * @param system reads the system's files; both give undefined for what is not there.
 */
export function whyNoSandbox(platform, electron, system = realSystem) {
  if (platform !== "linux" || !forbidsNamespaces(system)) return undefined;
  const helper = join(dirname(electron), "chrome-sandbox");
  const found = system.stat(helper);
  if (found?.uid === 0 && (found.mode & 0o4000) !== 0) return undefined;
  if (system.profiles().some((profile) => profile.includes(electron))) return undefined;
  const quoted = `'${helper.replaceAll("'", "'\\''")}'`;
  return (
    "this system keeps Electron from starting its sandbox from this folder " +
    "(for a window, install Countersign's .deb package, " +
    `or run: sudo chown root:root ${quoted} && sudo chmod 4755 ${quoted})`
  );
}

function forbidsNamespaces({ read }) {
  return (
    read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") === "1" ||
    read("/proc/sys/kernel/unprivileged_userns_clone") === "0" ||
    read("/proc/sys/user/max_user_namespaces") === "0"
  );
}

const orUndefined = (look) => {
  try {
    return look();
  } catch {
    return undefined;
  }
};

const realSystem = {
  read: (file) => orUndefined(() => readFileSync(file, "utf8").trim()),
  stat: (file) => orUndefined(() => statSync(file)),
  profiles() {
    const folder = "/etc/apparmor.d";
    const names = orUndefined(() => readdirSync(folder, { withFileTypes: true })) ?? [];
    return names
      .filter((entry) => entry.isFile())
      .map(({ name }) => realSystem.read(join(folder, name)) ?? "");
  },
};
