/** From how far a command may reach to a profile of macOS' Seatbelt. The order has a meaning: the last rule that fits wins. */
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { readWidth } from "../../shared/width.ts";
import { isWithin } from "../paths/path-style.ts";
import { realOf } from "../paths/real-of.ts";
import { type Confinement, type Fence, placeFences } from "./confinement.ts";

/** What Seatbelt cannot put up is not taken for put up: a fence that it has no rule for. */
type Places = { rules: string[]; writable: string[]; seen: string[]; held: string[] };

const quote = (text: string) => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
const literals = (paths: readonly string[]) => paths.map((path) => `(literal ${quote(path)})`).join(" ");
const under = (path: string) => `(subpath ${quote(path)})`;
const named = (filter: string, names: string) =>
  names
    .split(" ")
    .map((name) => `(${filter} "${name}")`)
    .join(" ");

/** Facts of the machine, and nothing of its processes: what others were started with stands in `kern.procargs2`. */
const facts = [
  named("sysctl-name-prefix", "hw. machdep.cpu. net.routetable."),
  named(
    "sysctl-name",
    "kern.argmax kern.hostname kern.maxfiles kern.maxfilesperproc kern.maxproc kern.ngroups kern.osproductversion kern.osrelease kern.ostype kern.osvariant_status kern.osversion kern.secure_kernel kern.tcsm_available kern.tcsm_enable kern.usrstack64 kern.version machdep.ptrauth_enabled security.mac.lockdown_mode_state sysctl.proc_cputype vm.loadavg",
  ),
].join(" ");

/** Who the person is, and where messages about the program itself go. Neither the keychain nor what starts programs. */
const services =
  "com.apple.system.opendirectoryd.libinfo com.apple.system.opendirectoryd.membership com.apple.system.notification_center com.apple.system.logger com.apple.logd com.apple.bsd.dirhelper com.apple.PowerManagement.control";
/** Names of the network, and whether a certificate is to be trusted. */
const servicesOfNetwork =
  "com.apple.SystemConfiguration.DNSConfiguration com.apple.SystemConfiguration.configd com.apple.networkd com.apple.ocspd com.apple.trustd.agent";

/** What the default does not cover: it lets these be. */
const besideDefault = "(deny process-info* nvram*)";

/** The terminal of the command, and none of the person's others. `TTY` is told to sandbox-exec, which is started in it. */
const ground = `(version 1)
(deny default)
${besideDefault}
(allow process-exec)
(allow process-fork)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow user-preference-read)
(allow mach-host*)
(allow ipc-posix-sem)
(allow sysctl-read ${facts})
(allow sysctl-write ${named("sysctl-name", "kern.grade_cputype kern.tcsm_enable")})
(allow iokit-open (iokit-registry-entry-class "RootDomainUserClient"))
(allow mach-lookup ${named("global-name", services)})
(allow file-read*)
(deny file-read* file-write* (regex #"^/dev/[pt]ty."))
(allow file-read* file-write-data file-ioctl (literal (param "TTY")) (literal "/dev/tty"))
(allow pseudo-tty)
(allow file-read* file-write* file-ioctl (literal "/dev/ptmx"))
(allow file-read* file-write* file-ioctl (require-all (regex #"^/dev/ttys[0-9]+") (extension "com.apple.sandbox.pty")))
(allow file-write-data file-ioctl ${literals(["null", "zero", "random", "urandom", "dtracehelper"].map((name) => `/dev/${name}`))} (subpath "/dev/fd"))`;

/** There is no network of its own to have: without the grant nothing listens and nothing is reached, this machine included. */
const network = `(allow network-outbound (remote ip "*:*") (literal "/private/var/run/mDNSResponder"))
(allow network-inbound (local ip "*:*"))
(allow network-bind (local ip "*:*"))
(allow system-socket (require-all (socket-domain AF_SYSTEM) (socket-protocol 2)))
(allow mach-lookup ${named("global-name", servicesOfNetwork)})`;

/** Those of its own programs; what services of this machine listen at lies elsewhere. */
const sockets = (places: readonly string[]) => `(allow system-socket (socket-domain AF_UNIX))
${places
  .map(
    (place) =>
      `(allow network-bind (local unix-socket ${under(place)}))\n(allow network-outbound (remote unix-socket ${under(place)}))`,
  )
  .join("\n")}`;

/** Each folder above a place, the topmost first. */
function above(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [...above(parent), parent];
}

/** @throws Error for what no rule stands for */
function readFences(fences: readonly Fence[]): Places {
  const found: Places = { rules: [], writable: [], seen: [], held: [] };
  for (const [kind, from = "", to = ""] of fences) {
    if (kind === "--remount-ro") continue;
    const isHidden = kind === "--tmpfs" || (kind === "--ro-bind" && from !== to);
    // A rule is about where something really is, which the system looks up behind every name.
    const named = kind === "--tmpfs" ? from : to;
    const place = realOf(named) ?? named;
    found.held.push(place);
    if (isHidden) found.rules.push(`(deny file-read* file-write* ${under(place)})`);
    else if (kind === "--bind") found.rules.push(`(allow file-read* file-write* ${under(place)})`);
    else if (kind === "--ro-bind")
      found.rules.push(`(allow file-read* ${under(place)})`, `(deny file-write* ${under(place)})`);
    else throw new Error(`Seatbelt has no rule for ${kind}`);
    if (kind === "--bind") found.writable.push(place);
    if (!isHidden) found.seen.push(place);
  }
  return found;
}

/**
 * Rules name paths, so what is guarded must stay where it is, and each folder around it that could be moved away with it.
 * Without a second name for any file: the rules for the first one would not be about it.
 */
function stayInPlace({ held, writable }: Places): string {
  const around = held.flatMap((place) => {
    const roots = writable.filter((root) => isWithin(place, root));
    return [...above(place), place].filter((each) => roots.some((root) => isWithin(each, root)));
  });
  return [...new Set(around)].map((path) => `(deny file-write-unlink (literal ${quote(path)}))`).join("\n");
}

/**
 * What holds a command on macOS.
 * @param own the real path of its folder for temporary files; those of this machine are not seen
 * @throws as `placeFences`
 */
export function seatbeltProfile(confinement: Confinement, own: string, shared = tmpdir()): string {
  const { grant } = readWidth(confinement.width);
  const places = readFences(placeFences(confinement));
  const reachable = [...new Set([...places.writable, own])];
  const traversed = [...new Set([...places.seen, own].flatMap(above))];
  return [
    ground,
    ...(grant === "network" ? [network] : []),
    ...(grant === "sockets" ? [sockets(reachable)] : []),
    ...["/private/tmp", realOf(shared) ?? shared].map(
      (path) => `(deny file-read* file-write* ${under(path)})`,
    ),
    `(allow file-read* file-write* ${under(own)})`,
    ...places.rules,
    `(allow file-read-metadata ${literals(traversed)})`,
    stayInPlace(places),
    "(deny file-write-setugid)",
    "",
  ].join("\n");
}
