/** What this machine's sandbox is known to be: attacked before anything relies on it, and again when its program changes. */
import { statSync } from "node:fs";
import type { SandboxState, Settings } from "../../shared/contract/console.ts";
import { messageOf } from "../../shared/message-of.ts";
import { type Found, findSandbox } from "./find-sandbox.ts";
import { type Hidden, nothingMore } from "./hidden-places.ts";
import { type Probe, probeSandbox } from "./probe.ts";

export type SandboxMode = Settings["sandbox"];

export type Sandbox = {
  /** What the person wants of it. */
  mode(): SandboxMode;
  /** Where commands that write may write besides, as the person names it. */
  folders(): readonly string[];
  /** What nothing that is confined sees, as it is now. */
  hidden(): Hidden;
  /** What is known of it, without finding out more. */
  state(): SandboxState;
  /**
   * Whether commands are confined here as far as anybody knows: what is found and was not attacked yet is taken for what
   * holds, since a model is told before its first command. Nothing relies on that.
   */
  mayConfine(): boolean;
  /** Finds out whether it can be relied on, once for each program that is found. Never rejects. */
  ready(): Promise<Probe>;
};

export type SandboxParts = {
  mode(): SandboxMode;
  folders?(): readonly string[];
  hidden?(): Hidden;
  /** More is known of it. */
  onKnown(): void;
  find?: () => Found;
  probe?: (found: Found) => Promise<Probe>;
};

/** Another file in the same place is another program. */
function identify(found: Found): string {
  if ("why" in found) return found.why;
  const { dev, ino, size, mtimeMs } = statSync(found.program);
  return [found.program, dev, ino, size, mtimeMs].join(" ");
}

/** Finds and probes with the machine's own program, unless a test names others. */
export function createSandbox({
  mode,
  folders = () => [],
  hidden = () => nothingMore,
  onKnown,
  find = findSandbox,
  probe = probeSandbox,
}: SandboxParts): Sandbox {
  let tried: { identity: string; probe: Promise<Probe> } | undefined;
  let state: SandboxState = { state: "untried" };

  async function attack(found: Found): Promise<Probe> {
    const probed = await probe(found);
    state = probed.usable ? { state: "usable" } : { state: "unusable", why: probed.why };
    onKnown();
    return probed;
  }

  return {
    mode,
    folders,
    hidden,
    state: () => state,
    mayConfine() {
      if (mode() === "off" || state.state === "unusable") return false;
      try {
        return state.state === "usable" || "program" in find();
      } catch {
        return false;
      }
    },
    async ready() {
      try {
        const found = find();
        const identity = identify(found);
        if (tried?.identity !== identity) tried = { identity, probe: attack(found) };
        return await tried.probe;
      } catch (error) {
        // It went away while it was looked at.
        return { usable: false, why: messageOf(error) };
      }
    },
  };
}
