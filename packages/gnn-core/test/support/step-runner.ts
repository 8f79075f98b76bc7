import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ArtifactDir, StepComponent, StepEvent } from "../../src/index.ts";
import { buildManifest, readManifestFile, writeManifestFile } from "../../src/io/manifest-file.ts";
import { loadRegistry, type ReadingLimits } from "../../src/spec/index.ts";

const noPeers = {
  rank: 0,
  worldSize: 1,
  timeoutMs: 0,
  allReduceSum: async () => {},
  barrier: async () => {},
  close: async () => {},
};

export interface RunOptions {
  readonly onEvent?: (event: StepEvent) => void;
  readonly signal?: AbortSignal;
  readonly limits?: ReadingLimits;
  /** Default: 1 */
  readonly threads?: number;
}

/**
 * Runs a step on one rank as a worker would, in a folder of the caller's: options parsed, manifest built, hashed and
 * read back.
 */
export async function runStepIn(
  scratchDir: string,
  step: StepComponent,
  inputs: Record<string, ArtifactDir>,
  options: unknown,
  { onEvent = () => {}, signal = new AbortController().signal, limits, threads = 1 }: RunOptions = {},
): Promise<ArtifactDir> {
  const outDir = join(scratchDir, "out");
  await mkdir(outDir, { recursive: true });
  const draft = await step.run({
    options: step.options.parse(options),
    inputs,
    outDir,
    scratchDir,
    rank: { rank: 0, worldSize: 1, localRank: 0, device: "cpu", threads, collective: noPeers },
    registry: await loadRegistry(),
    resume: null,
    onEvent,
    signal,
    ...(limits ? { limits } : {}),
  });
  if (!draft) throw new Error(`${step.name} returned no draft on rank 0`);
  const digests = Object.fromEntries(Object.entries(inputs).map(([kind, { manifest }]) => [kind, manifest.digest]));
  const context = { kind: step.output, step: step.name, stepVersion: step.version, engine: "test", inputs: digests };
  await writeManifestFile(outDir, await buildManifest(outDir, draft, { ...context, options }));
  return readManifestFile(outDir);
}

/** A `files` artifact in a folder of the caller's, as the API writes it at upload: contents by the user's file name. */
export async function filesArtifactIn(
  dir: string,
  contents: Record<string, string | Uint8Array>,
): Promise<ArtifactDir> {
  const files = [];
  for (const [i, [name, content]] of Object.entries(contents).entries()) {
    const blob = `files/${i}`;
    await mkdir(dirname(join(dir, blob)), { recursive: true });
    await writeFile(join(dir, blob), content);
    files.push({ name, blob, bytes: Buffer.byteLength(content) });
  }
  const draft = { info: { files }, blobs: files.map(({ blob }) => ({ name: blob })) };
  const context = { kind: "files", step: "upload", stepVersion: 1, engine: "test", inputs: {}, options: {} };
  await writeManifestFile(dir, await buildManifest(dir, draft, context));
  return readManifestFile(dir);
}
