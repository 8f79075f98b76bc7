import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { expect, test, vi } from "vitest";
import { compileProgram } from "../../../../script/lib/compile-program.mjs";

const script = await compileProgram(new URL("./metis-alone.ts", import.meta.url));

test("METIS does not outlive a process that is killed while it waits for it", async () => {
  const waiting = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
  const first = await createInterface(waiting.stdout)[Symbol.asyncIterator]().next();
  const pid = Number(first.value);
  expect(existsSync(`/proc/${pid}`)).toBe(true);
  waiting.kill("SIGKILL");
  await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false), { timeout: 10_000, interval: 20 });
});
