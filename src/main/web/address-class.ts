/** Tells addresses of the public internet from those of this machine and its networks. */
import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import { WebError } from "./web-error.ts";

export type ResolvedAddress = {
  readonly address: string;
  readonly family: 4 | 6;
};

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

/**
 * What kind of network a numeric address lies in. `never`: no server of a person's own: link-local with the metadata of
 * clouds, multicast, reserved, unspecified, and what cannot be read.
 */
export function networkOf(address: string): "loopback" | "private" | "public" | "never" {
  if (!isPrivateAddress(address)) return "public";
  if (!ipaddr.isValid(address)) return "never";
  const range = ipaddr.process(address).range();
  if (range === "loopback") return range;
  return range === "private" || range === "uniqueLocal" || range === "carrierGradeNat" ? "private" : "never";
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
 * Where an address leads as far as its text says. `private` is this machine or its network, `named` a name that nobody
 * looked up, `none` no web address at all.
 */
export type WebPlace = { kind: "private" | "public"; shown: string } | { kind: "named" } | { kind: "none" };

const loopbackName = /(?:^|\.)localhost\.?$/;

/** Reads an address without looking anything up, since the look-up alone tells others the name. Never throws. */
export function readPlace(text: string): WebPlace {
  let host: string;
  try {
    host = hostOf(parseWebUrl(text));
  } catch {
    return { kind: "none" };
  }
  const literal = literalAddress(host);
  if (literal)
    return { kind: isPrivateAddress(literal.address) ? "private" : "public", shown: literal.address };
  return loopbackName.test(host) ? { kind: "private", shown: host } : { kind: "named" };
}

/**
 * Whether a person who saw this address and allowed it saw that it leads to `address`: the number itself, or this
 * machine for `localhost`. A name says nothing about the addresses that it is given later.
 */
export function showsAddress(url: URL, address: string): boolean {
  const host = hostOf(url);
  const literal = literalAddress(host);
  if (!ipaddr.isValid(address)) return false;
  const reached = ipaddr.process(address);
  if (literal) return ipaddr.process(literal.address).toString() === reached.toString();
  return loopbackName.test(host) && reached.range() === "loopback";
}
