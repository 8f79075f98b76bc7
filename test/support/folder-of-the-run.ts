import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Run by vitest before the tests (vitest.config.ts): one folder for the temporary files of all of them and of all
 * that they start, which is removed with whatever a test left. Test files share processes, so that a module they have
 * in common registers what it would clear up after the first of them alone.
 */
export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  // Called once for each project of a run.
  if (process.env["HOPWISE_TEST_FOLDER"] !== undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "hw-run-"));
  // For everybody, as /tmp is: PostgreSQL runs under a user of its own.
  await chmod(folder, 0o1777);
  process.env["HOPWISE_TEST_FOLDER"] = folder;
  process.env["TMPDIR"] = folder;
  return () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
