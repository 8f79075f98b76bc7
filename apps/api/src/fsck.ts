import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openArtifactStore } from "@hopwise/artifacts";
import { fsck } from "./artifacts/fsck.ts";
import { openDatabase } from "./database/open-database.ts";
import { readEnv } from "./env.ts";

const usage = `fsck: reads all that is stored and says what is damaged, missing or orphaned.

  --mark   notes what is damaged or missing, so that it is not used again, and made again where a step can
  --json   one JSON object for each finding and one for the summary

Ends with 0 when all is well (orphans only take room), 1 when something is damaged or missing, 2 when it cannot look.
An embedded database is one process's alone: stop the stack first.
`;

async function main(): Promise<number> {
  const { values: flags } = parseArgs({
    options: { mark: { type: "boolean" }, json: { type: "boolean" }, help: { type: "boolean" } },
  });
  if (flags.help) {
    process.stdout.write(usage);
    return 0;
  }
  process.umask(0o077);
  const env = readEnv();
  if (env.database.url === undefined && !existsSync(join(env.data.dir, "pglite"))) {
    throw new Error(`There is no database in ${env.data.dir}; set HOPWISE_DATA or DATABASE_URL as the API has it.`);
  }
  const database = await openDatabase({
    url: env.database.url,
    dir: join(env.data.dir, "pglite"),
    cacheDir: env.data.cacheDir,
  });
  try {
    const store = await openArtifactStore(env.artifacts.url);
    const summary = await fsck({ prisma: database.prisma, store, mark: flags.mark === true }, (finding) => {
      const { what, key, detail } = finding;
      process.stdout.write(
        flags.json ? `${JSON.stringify(finding)}\n` : `${what.padEnd(8)}  ${key}\n          ${detail}\n`,
      );
    });
    const { artifacts, uploads, damaged, missing, orphaned } = summary;
    const text = `${artifacts} artifacts and ${uploads} open uploads: ${damaged} files damaged, ${missing} missing, ${orphaned} orphaned.`;
    process.stdout.write(flags.json ? `${JSON.stringify({ summary })}\n` : `${text}\n`);
    return damaged + missing > 0 ? 1 : 0;
  } finally {
    await database.close();
  }
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 2;
});
