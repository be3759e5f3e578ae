/** The body of a request over a private socket, as text. */
import type { IncomingMessage } from "node:http";
import { ContractError } from "../../shared/contract/errors.ts";

/**
 * All of it is heard, and no more than `mostBytes` kept: a connection that is cut while the other end still sends is a
 * failure there, whatever was answered. For how long, the server's `requestTimeout` says.
 * @throws ContractError when it is larger than `mostBytes`
 */
export async function readBody(request: IncomingMessage, mostBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    bytes += piece.length;
    if (bytes <= mostBytes) pieces.push(piece);
  }
  if (bytes > mostBytes) throw new ContractError("invalid-input", "This is too large to be asked.");
  return Buffer.concat(pieces).toString("utf8");
}
