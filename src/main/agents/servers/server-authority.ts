/** The file of certificates that a person names for one server: read, checked, and held to what it said when the server was saved. */
import { createHash, X509Certificate } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";

/** Why a file is none that a server can be trusted by, in a sentence. */
export class AuthorityError extends Error {
  override name = "AuthorityError";
}

export type Authority = { certificates: string; digest: string };

/** As many as a company's bundle. */
const mostBytes = 1_000_000;
const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** @throws AuthorityError */
export async function readAuthority(file: string): Promise<Authority> {
  if (!isAbsolute(file)) throw new AuthorityError("Give the whole path of the file of certificates.");
  const text = await readText(file);
  if (text.includes("PRIVATE KEY"))
    throw new AuthorityError(`${file} holds a private key. Give a file with certificates alone.`);
  const certificates = text.match(block) ?? [];
  if (certificates.length === 0)
    throw new AuthorityError(`${file} holds no certificate (PEM, “-----BEGIN CERTIFICATE-----”).`);
  for (const one of certificates)
    if (!isCertificate(one)) throw new AuthorityError(`${file} holds a certificate that cannot be read.`);
  return {
    certificates: certificates.join("\n"),
    digest: createHash("sha256").update(certificates.join("\n")).digest("hex"),
  };
}

/** @throws AuthorityError also where it says something else than when the server was saved */
export async function sameAuthority(file: string, digest: string | undefined): Promise<Authority> {
  const found = await readAuthority(file);
  if (found.digest !== digest)
    throw new AuthorityError(
      `${file} says something else than when the server was saved. Save it again if that is meant.`,
    );
  return found;
}

async function readText(file: string): Promise<string> {
  try {
    const found = await stat(file);
    if (!found.isFile() || found.size > mostBytes)
      throw new AuthorityError(`${file} is no file of certificates.`);
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof AuthorityError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new AuthorityError(`${file} cannot be read (${code}).`);
  }
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).subject !== undefined;
  } catch {
    return false;
  }
}
