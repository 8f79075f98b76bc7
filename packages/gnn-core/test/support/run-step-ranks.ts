import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { inProcessRowServices } from "../../src/dist-store/in-process-rows.ts";
import type { ArtifactDir, StepComponent, StepEvent } from "../../src/index.ts";
import { buildManifest, readManifestFile, writeManifestFile } from "../../src/io/manifest-file.ts";
import { loadRegistry } from "../../src/spec/index.ts";

export interface RankStepOptions {
  readonly worldSize?: number;
  readonly onEvent?: (event: StepEvent) => void;
  readonly resume?: ArtifactDir | null;
}

/** Runs a step on ranks that share one output folder, as the worker of one host does; rank 0's draft becomes the manifest. */
export async function runStepRanks(
  step: StepComponent,
  inputs: Record<string, ArtifactDir>,
  options: unknown,
  { worldSize = 2, onEvent = () => {}, resume = null }: RankStepOptions = {},
): Promise<ArtifactDir> {
  const scratchDir = await mkdtemp(join(tmpdir(), "hopwise-step-"));
  const outDir = join(scratchDir, "out");
  await mkdir(outDir);
  const registry = await loadRegistry();
  const parsed = step.options.parse(options);
  const signal = new AbortController().signal;
  const services = inProcessRowServices(worldSize);
  const drafts = await Promise.all(
    loopbackGroup(worldSize).map((collective, rank) => {
      const connectRows = async () => services[rank]!;
      const context = { rank, worldSize, localRank: rank, device: "cpu", threads: 1, collective, connectRows } as const;
      return step.run({
        options: parsed,
        inputs,
        outDir,
        scratchDir,
        rank: context,
        registry,
        resume,
        onEvent,
        signal,
      });
    }),
  );
  const [draft, ...others] = drafts;
  if (!draft || others.some((other) => other !== null)) throw new Error(`${step.name}: only rank 0 returns a draft`);
  const digests = Object.fromEntries(Object.entries(inputs).map(([kind, { manifest }]) => [kind, manifest.digest]));
  const context = { kind: step.output, step: step.name, stepVersion: step.version, engine: "test", inputs: digests };
  await writeManifestFile(outDir, await buildManifest(outDir, draft, { ...context, options }));
  return readManifestFile(outDir);
}
