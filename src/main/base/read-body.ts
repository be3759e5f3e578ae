/** The body of a request over a private socket, as text. */
import type { IncomingMessage } from "node:http";
import { ContractError } from "../../shared/contract/errors.ts";

/** @throws ContractError when it is larger than `mostBytes` */
export async function readBody(request: IncomingMessage, mostBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new ContractError("invalid-input", "This is too large to be asked.");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
