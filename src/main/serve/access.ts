/** Who is let in: one-use codes that travel in an address, and the tokens that pages get for them (L4, L10). */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** More codes than a person can have use for; the oldest give way. */
const mostCodes = 32;

export type CodeOptions = {
  /** How long the code can be exchanged. */
  lifetimeMs: number;
  /**
   * The code will stand in the argument list of a process, which everybody on the machine can read. If it is offered
   * twice, nobody knows who came first, so whoever did loses the access again.
   */
  isExposed: boolean;
};

export type Access = {
  /** A new code, 128 bits as base64url. */
  issueCode(options: CodeOptions): string;
  /**
   * The token of a new session, 256 bits as base64url, or undefined when the code is unknown, used or too old.
   *
   * @param offer the code, and behind a blank a claim of the page's own making: who offers both again before the code is
   * too old is the same page, which was reloaded before it had its answer, and gets the same token
   */
  exchange(offer: string): string | undefined;
  /** Whether a page with this token may connect. */
  admits(token: string): boolean;
  /** How many codes were exchanged so far. */
  exchanged(): number;
  /** Hears of each token that is withdrawn because its exposed code was offered again. */
  onWithdrawn(listener: (token: string) => void): void;
};

type Code = CodeOptions & { hash: Buffer; issuedAt: number; token?: string; claim?: Buffer };

/** @param now milliseconds on any clock that only goes forward. */
export function createAccess(now: () => number = () => performance.now()): Access {
  const codes: Code[] = [];
  const tokens = new Set<Buffer>();
  const listeners: ((token: string) => void)[] = [];
  let exchanged = 0;

  function withdraw(code: Code): void {
    const { token } = code;
    if (token === undefined) return;
    const known = findSame([...tokens], hashOf(token), (hash) => hash);
    if (known === undefined || !tokens.delete(known)) return;
    for (const listener of listeners) listener(token);
  }

  return {
    issueCode(options) {
      const code = randomBytes(16).toString("base64url");
      codes.push({ ...options, hash: hashOf(code), issuedAt: now() });
      codes.splice(0, codes.length - mostCodes);
      return code;
    },
    exchange(offer) {
      const [text = "", claim] = offer.split(" ");
      const code = findSame(codes, hashOf(text), ({ hash }) => hash);
      if (code === undefined) return undefined;
      const isInTime = now() - code.issuedAt <= code.lifetimeMs;
      if (code.token !== undefined) {
        const isSamePage =
          claim !== undefined && code.claim !== undefined && timingSafeEqual(hashOf(claim), code.claim);
        if (isSamePage && isInTime) return code.token;
        if (code.isExposed) withdraw(code);
        return undefined;
      }
      if (!isInTime) return undefined;
      if (claim !== undefined) code.claim = hashOf(claim);
      code.token = randomBytes(32).toString("base64url");
      tokens.add(hashOf(code.token));
      exchanged++;
      return code.token;
    },
    admits: (token) => findSame([...tokens], hashOf(token), (hash) => hash) !== undefined,
    exchanged: () => exchanged,
    onWithdrawn: (listener) => void listeners.push(listener),
  };
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Compares hashes, and all of them, so that neither content nor place shows in the time it takes. */
function findSame<Item>(
  items: readonly Item[],
  wanted: Buffer,
  hash: (item: Item) => Buffer,
): Item | undefined {
  return items.filter((item) => timingSafeEqual(hash(item), wanted)).at(0);
}
