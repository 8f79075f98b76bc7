import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { ArtifactDir, StepComponent } from "../../src/index.ts";
import { filesArtifactIn, type RunOptions, runStepIn } from "./step-runner.ts";

const made: string[] = [];

/** A folder that is removed after the tests of the file. */
export async function temporaryDir(purpose: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), `hopwise-${purpose}-`));
  made.push(dir);
  return dir;
}
afterAll(async () => {
  for (const dir of made.splice(0)) await rm(dir, { recursive: true, force: true });
});

/** `runStepIn` a temporary folder. */
export async function runStep(
  step: StepComponent,
  inputs: Record<string, ArtifactDir>,
  options: unknown,
  runOptions: RunOptions = {},
): Promise<ArtifactDir> {
  return runStepIn(await temporaryDir("step"), step, inputs, options, runOptions);
}

/** `filesArtifactIn` a temporary folder. */
export async function filesArtifact(contents: Record<string, string | Uint8Array>): Promise<ArtifactDir> {
  return filesArtifactIn(await temporaryDir("files"), contents);
}
