/** Tells addresses of the public internet from those of this machine and its networks. */
import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import { WebError } from "./web-error.ts";

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Turns a host name into its addresses; rejects or gives none when there is no such name. */
export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

/** Asks the system, as every other program on the machine would. */
export async function resolveHost(host: string): Promise<ResolvedAddress[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

/** Azure answers instance metadata on a public address. */
const metadataAddresses = new Set(["168.63.129.16"]);

/** The only IPv6 space handed out to the public internet. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/**
 * Whether a numeric address is anything but a plain public one: loopback, private, link-local, carrier NAT,
 * multicast, reserved, cloud metadata, or IPv6 that carries an IPv4 address. What cannot be read counts as private.
 */
export function isPrivateAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return true;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast" || metadataAddresses.has(parsed.toString())) return true;
  return parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicast);
}

/** The host of a URL without the brackets around IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/** The address itself when the host is one. The URL parser has already unmasked forms such as `0x7f.1`. */
export function literalAddress(host: string): ResolvedAddress | null {
  if (!ipaddr.isValid(host)) return null;
  return { address: host, family: ipaddr.parse(host).kind() === "ipv6" ? 6 : 4 };
}

/**
 * Reads an HTTP or HTTPS address.
 * @throws WebError `invalid-url` for anything else, or when it carries a name and password
 */
export function parseWebUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw new WebError(
      "invalid-url",
      `${text} is not a web address. Give a full one that starts with https:// or http://.`,
    );
  }
  if (url.username || url.password) {
    throw new WebError(
      "invalid-url",
      "The address carries a name or password. Leave them out; none are ever sent.",
    );
  }
  url.hash = "";
  return url;
}

/**
 * Where a URL leads, for the policy: any private address among several makes it private.
 * The answer can change until the request is made, which is why the request checks again.
 * @throws WebError `invalid-url`
 */
export async function classifyAddress(
  text: string,
  resolve: Resolve = resolveHost,
): Promise<"public" | "private" | "unresolvable"> {
  const host = hostOf(parseWebUrl(text));
  const literal = literalAddress(host);
  if (literal) return isPrivateAddress(literal.address) ? "private" : "public";
  if (/(^|\.)localhost\.?$/.test(host)) return "private";
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0) return "unresolvable";
  return addresses.some(({ address }) => isPrivateAddress(address)) ? "private" : "public";
}
