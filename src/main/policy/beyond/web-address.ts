/** Tells an address that only names a page from one that carries text to its server, in its name, its path or its query. */

/** What an address says of itself, without anything being looked up. */
type AddressReading = { carries: string } | { plain: true };

const mostLabels = 5;
const longestLabel = 16;
const longestNames = 24;
const longestDomainLabel = 30;
const longestSegment = 48;
const longestPath = 120;

/** Sixteen hexadecimal digits, or twenty characters that mix letters and digits without a word in between. */
export function isOpaque(text: string): boolean {
  if (/[0-9a-f]{16}/i.test(text)) return true;
  return (text.match(/[A-Za-z0-9+/=_]{20,}/g) ?? []).some((run) => /\d/.test(run) && /[A-Za-z]/.test(run));
}

/**
 * The names of this machine, whose own affair they are. The URL parser has put every form of IPv4 into this one; what only
 * begins with its number is a name like any other.
 */
export const loopback = /^127(?:\.\d{1,3}){3}$|^\[::1\]$|(?:^|\.)localhost\.?$/;
const ownNetwork =
  /^(?:0\.|10\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|168\.63\.129\.16$|\[)/;

function readHost(host: string): string | undefined {
  if (loopback.test(host)) return undefined;
  if (ownNetwork.test(host)) return "It leads to an address of the own network.";
  if (/^[\d.]+$/.test(host)) return undefined;
  const labels = host.replace(/\.$/, "").split(".");
  const names = labels.slice(0, -2);
  const domain = labels.slice(-2);
  const long =
    labels.length > mostLabels ||
    names.some((label) => label.length > longestLabel || /\d{4}|[a-z]+\d+[a-z]+\d/.test(label)) ||
    names.join("").length > longestNames ||
    domain.some((label) => label.length > longestDomainLabel);
  return long || isOpaque(host) || /(?:^|\.)xn--/.test(host)
    ? "Its name is long enough to carry something to the server, already when it is looked up."
    : undefined;
}

function readPath(path: string): string | undefined {
  const segments = path.split("/");
  const long = path.length > longestPath || segments.some((segment) => segment.length > longestSegment);
  return long || path.includes("%") || path.includes(";") || isOpaque(path)
    ? "Its path is long enough to carry something to the server."
    : undefined;
}

/**
 * Why a request for an address tells its server more than which page is wanted, or that it does not. Closed: only a
 * short name and a short path of readable parts count as plain. A few words can still hide in those.
 *
 * @param text an address with or without its scheme, as curl takes it
 */
export function readAddress(text: string): AddressReading {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(full) || /[\s\\{}[\]]/.test(text.replace(/\/\/\[[0-9a-f:.]+\]/i, "")))
    return { carries: "It is no plain address." };
  const url = new URL(full);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return { carries: `It speaks ${url.protocol.slice(0, -1)}, which may send.` };
  if (url.username !== "" || url.password !== "") return { carries: "It carries a name or a password." };
  if (url.search !== "" || text.includes("?")) return { carries: "Its query carries text to the server." };
  const carries = readHost(url.hostname) ?? readPath(url.pathname);
  return carries === undefined ? { plain: true } : { carries };
}
