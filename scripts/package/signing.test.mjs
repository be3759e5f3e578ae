import { describe, expect, it } from "vitest";
import { packageConfig } from "./config.mjs";
import { canSign, publishedAt } from "./signing.mjs";

const apple = { CSC_LINK: "a", APPLE_API_KEY: "b", APPLE_API_KEY_ID: "c", APPLE_API_ISSUER: "d" };

describe("signing", () => {
  it("happens on macOS only with a certificate and all that notarizing takes", () => {
    expect(canSign("darwin", apple)).toBe(true);
    for (const name of Object.keys(apple))
      expect(canSign("darwin", { ...apple, [name]: "" }), name).toBe(false);
  });

  it("happens on Windows with a certificate or with Azure, and never on Linux", () => {
    expect(canSign("win32", {})).toBe(false);
    for (const name of ["WIN_CSC_LINK", "CSC_LINK"])
      expect(canSign("win32", { [name]: "a" }), name).toBe(true);
    expect(canSign("win32", { AZURE_CLIENT_ID: "a" })).toBe(false);
    expect(canSign("linux", apple)).toBe(false);
  });
});

describe("a package", () => {
  const published = publishedAt({ GITHUB_REPOSITORY: "owner/name" });
  const made = (platform, isSigned) =>
    packageConfig(platform, { build: "build", output: "dist", ptyNode: "pty", isSigned, ...published });

  it.each(["darwin", "win32", "linux"])(
    "for %s says in its name that it is unsigned, and has no updates",
    (platform) => {
      const config = made(platform, false);
      expect(config.artifactName).toMatch(/-unsigned\.\$\{ext\}$/);
      expect(config.publish).toBeNull();
      expect(config.mac).toMatchObject({ identity: "-", notarize: false });
    },
  );

  it("that is signed has a plain name, its updates and its project's page", () => {
    const config = made("darwin", true);
    expect(config.artifactName).not.toContain("unsigned");
    expect(config.forceCodeSigning).toBe(true);
    expect(config.publish).toEqual({ provider: "github", owner: "owner", repo: "name" });
    expect(config.extraMetadata).toEqual({ homepage: "https://github.com/owner/name" });
    expect(config.mac).not.toHaveProperty("identity");
  });
});
