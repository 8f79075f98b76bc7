import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "@hopwise/contracts";

const keyFile = "credentials-key";
const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts what the database keeps of others' secrets, with AES-256-GCM and a key that is not in the database. What is
 * sealed for one purpose does not open for another: a row that was copied over another row is noticed.
 */
export class Sealer {
  readonly #key: Uint8Array;

  /** @param secret at least 32 characters that cannot be guessed */
  constructor(secret: string) {
    this.#key = new Uint8Array(hkdfSync("sha256", secret, "", "hopwise sealed secrets", 32));
  }

  /** @param purpose  what it is, with its id */
  seal(text: string, purpose: string): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv("aes-256-gcm", this.#key, iv).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return `v1.${sealed.toString("base64url")}`;
  }

  /** @throws AppError CREDENTIAL_UNREADABLE when it was sealed with another key, or for something else */
  open(sealed: string, purpose: string): string {
    try {
      const bytes = Buffer.from(sealed.replace(/^v1\./, ""), "base64url");
      const decipher = createDecipheriv("aes-256-gcm", this.#key, bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(-tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString("utf8");
    } catch (cause) {
      throw new AppError(
        "CREDENTIAL_UNREADABLE",
        "What is stored was encrypted with another key. Set HOPWISE_CREDENTIALS_KEY, or restore the file secrets/credentials-key, as it was then; or store the credential anew.",
        { cause },
      );
    }
  }
}

/** Seals with the key that the operator gives, else with one that is made at the first start and kept in a file. */
export async function openSealer(secretsDir: string, given: string | undefined): Promise<Sealer> {
  return new Sealer(given ?? (await keptKey(secretsDir)));
}

async function keptKey(dir: string): Promise<string> {
  const path = join(dir, keyFile);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  // Two processes on one folder may start at once: one makes it, and both read it.
  await writeFile(path, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    },
  );
  const key = (await readFile(path, "utf8")).trim();
  if (key.length >= 32) return key;
  throw new Error(
    `${path} holds ${key.length} characters, expected 32 or more; restore it, or remove it for a new one.`,
  );
}
