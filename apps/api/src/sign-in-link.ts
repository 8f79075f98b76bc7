import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { adminKeyFile, issueSignInLink } from "./auth/first-start.ts";
import { openDatabase } from "./database/open-database.ts";
import { readEnv } from "./env.ts";

/**
 * Prints a fresh one-time sign-in link. With PGlite the running API holds the database, so it is asked; else the
 * database is opened directly.
 */
async function main(): Promise<void> {
  process.umask(0o077);
  const env = readEnv();
  const link = (await askRunningApi(env.server.publicUrl, env.data.secretsDir)) ?? (await issueDirectly(env));
  process.stdout.write(`${link}\n`);
}

async function askRunningApi(publicUrl: string, secretsDir: string): Promise<string | null> {
  const key = await readFile(join(secretsDir, adminKeyFile), "utf8").catch(() => null);
  if (key === null) return null;
  try {
    const response = await fetch(`${publicUrl}/v1/sign-in-links`, {
      method: "POST",
      headers: { authorization: `Bearer ${key.trim()}` },
    });
    return response.ok ? ((await response.json()) as { url: string }).url : null;
  } catch {
    return null; // it is not running
  }
}

async function issueDirectly(env: ReturnType<typeof readEnv>): Promise<string> {
  const database = await openDatabase({
    url: env.database.url,
    dir: join(env.data.dir, "pglite"),
    cacheDir: env.data.cacheDir,
  });
  try {
    return await issueSignInLink(database.prisma, env.data.secretsDir, env.server.publicUrl);
  } finally {
    await database.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
