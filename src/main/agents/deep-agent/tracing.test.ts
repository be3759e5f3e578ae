import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { CallbackManager } from "@langchain/core/callbacks/manager";
import { afterEach, describe, expect, it, vi } from "vitest";
import { switchTracingOff } from "./tracing.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The names by which the installed library lets tracing be switched on, read from its own code. */
async function switches(): Promise<string[]> {
  const manager = fileURLToPath(import.meta.resolve("@langchain/core/callbacks/manager"));
  const text = await readFile(manager.replace(/callbacks.manager\.js$/, "utils/callbacks.js"), "utf8");
  return text.match(/\bLANG[A-Z]+_TRACING\w*/g) ?? [];
}

/** What a run would be told to besides our own listeners. */
const listeners = () => CallbackManager.configure()?.handlers.map(({ name }) => name) ?? [];

describe("tracing to a service", () => {
  it("is off whichever of its switches the environment sets", async () => {
    const names = await switches();
    expect(names.length).toBeGreaterThan(3);
    vi.stubEnv("LANGSMITH_API_KEY", "of another program");
    for (const name of names) {
      vi.stubEnv(name, "true");
      expect(listeners(), name).toContain("langchain_tracer");
      switchTracingOff(process.env);
      expect(listeners(), name).toEqual([]);
    }
  });
});
