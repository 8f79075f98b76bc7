// Loaded by vitest before each test file: notes which process has taken up a further one, so that
// script/lib/run-vitest.mjs knows since when a process that many files share is at the file it has in hand.
import { appendFileSync } from "node:fs";

const progress = process.env.HOPWISE_TEST_PROGRESS;
if (progress) appendFileSync(progress, `${JSON.stringify({ event: "taken", pid: process.pid, at: Date.now() })}\n`);
