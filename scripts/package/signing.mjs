/** Whether the environment holds what it takes to sign for a system, and where newer versions are published. */

const azure = ["AZURE_TENANT_ID", "AZURE_CLIENT_ID", "AZURE_CLIENT_SECRET"].concat(
  ["ENDPOINT", "ACCOUNT", "PROFILE", "PUBLISHER"].map((name) => `AZURE_SIGNING_${name}`),
);

/** For each system the sets of variables of which one has to be whole. */
const ways = {
  darwin: [["CSC_LINK", "APPLE_API_KEY", "APPLE_API_KEY_ID", "APPLE_API_ISSUER"]],
  win32: [["WIN_CSC_LINK"], ["CSC_LINK"], azure],
  linux: [],
};

/**
 * On macOS a certificate and what notarizing takes; on Windows a certificate or Azure Trusted Signing; nothing is signed
 * on Linux. An empty variable counts as missing: that is what a CI hands on for a secret that is not there.
 */
export function canSign(platform, env) {
  return ways[platform].some((names) => names.every((name) => Boolean(env[name])));
}

/** Azure Trusted Signing's settings for electron-builder, or undefined where another certificate is used. */
export function azureOptions(env) {
  if (!azure.every((name) => Boolean(env[name]))) return undefined;
  return {
    publisherName: env.AZURE_SIGNING_PUBLISHER,
    endpoint: env.AZURE_SIGNING_ENDPOINT,
    codeSigningAccountName: env.AZURE_SIGNING_ACCOUNT,
    certificateProfileName: env.AZURE_SIGNING_PROFILE,
  };
}

/** The project's page and its releases, by the name of its repository ("owner/name"), or undefined without one. */
export function publishedAt(env) {
  const [owner, repo] = (env.GITHUB_REPOSITORY ?? "").split("/");
  if (!owner || !repo) return undefined;
  return { homepage: `https://github.com/${owner}/${repo}`, updates: { provider: "github", owner, repo } };
}
