/** Checks what a person enters as the address of a server, and asks it once whether it is one. */
import type { FieldProblem } from "../../../shared/contract/field-problem.ts";
import type { RemoteServer, ServerPlace } from "../../../shared/contract/remote-servers.ts";
import { messageOf } from "../../../shared/message-of.ts";
import { hostOf, literalAddress, networkOf } from "../../web/address-class.ts";
import { AuthorityError, readAuthority } from "./server-authority.ts";
import { createServerClient } from "./server-client.ts";
import { type ServerNetwork, urlOf } from "./server-request.ts";

/** What is entered, before it is known where it leads. */
export type Entered = Omit<RemoteServer, "place" | "authorityDigest">;

/** Only the host and what stands before the paths of a server; nothing that would be sent with every request. */
export async function checkServer(
  entered: Entered,
  key: string | undefined,
  network: ServerNetwork,
): Promise<{ server: RemoteServer } | { problem: FieldProblem }> {
  const problem = (message: string, field = "url") => ({ problem: { field, message } });
  if (entered.auth !== "none" && key === undefined)
    return problem("Give the key, or choose that it needs none.", "key");
  if (entered.auth === "header" && entered.header === undefined)
    return problem("Give the name of the header that takes the key.", "header");
  try {
    const url = urlOf(entered.url, "");
    const place = await placeOf(url, network);
    if (typeof place === "object") return problem(place.problem);
    if (url.protocol === "http:" && place !== "loopback")
      return problem(
        "Over http others on the way can read the key and the answers. Give an address with https://.",
      );
    const authority = await authorityOf(entered, url);
    if ("problem" in authority) return problem(authority.problem, "authorityFile");
    const server = { ...entered, url: url.href.replace(/\/+$/, ""), place, ...authority };
    const asking = new AbortController();
    await createServerClient(() => ({ ...server, key }), network, asking.signal).listWaiting();
    return { server };
  } catch (error) {
    return problem(messageOf(error));
  }
}

async function authorityOf(
  { authorityFile: file }: Entered,
  { protocol }: URL,
): Promise<Pick<RemoteServer, "authorityDigest"> | { problem: string }> {
  if (file === undefined) return {};
  if (protocol !== "https:") return { problem: "Certificates mean something with https:// alone." };
  try {
    return { authorityDigest: (await readAuthority(file)).digest };
  } catch (error) {
    if (error instanceof AuthorityError) return { problem: error.message };
    throw error;
  }
}

async function placeOf(url: URL, { resolve }: ServerNetwork): Promise<ServerPlace | { problem: string }> {
  const host = hostOf(url);
  const literal = literalAddress(host);
  const addresses = literal ? [literal] : await resolve(host).catch(() => []);
  const [place, ...more] = new Set(addresses.map(({ address }) => networkOf(address)));
  if (place === undefined)
    return { problem: `There is no host ${host}, or its name cannot be looked up now.` };
  if (place === "never") return { problem: `${host} leads to an address that no server has.` };
  return more.length > 0 ? { problem: `${host} leads to networks of different kinds.` } : place;
}
