/** Keeps the agent libraries from telling a tracing service what agents read and do. */

/**
 * Takes every variable of LangSmith and LangChain out of `env`: whoever set one meant another program. All of them go,
 * because the libraries have several names for the same switch and get new ones.
 */
export function switchTracingOff(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env)) if (/^LANG(SMITH|CHAIN)_/i.test(name)) delete env[name];
}
