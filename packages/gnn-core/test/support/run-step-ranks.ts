import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { inProcessRowServices } from "../../src/dist-store/in-process-rows.ts";
import type { ArtifactDir, StepComponent, StepEvent } from "../../src/index.ts";
import { buildManifest, readManifestFile, writeManifestFile } from "../../src/io/manifest-file.ts";
import { remoteSampler } from "../../src/sampling/remote/remote-sampler.ts";
import { serveSampler } from "../../src/sampling/remote/serve-sampler.ts";
import { loadRegistry } from "../../src/spec/index.ts";

export interface RankStepOptions {
  readonly worldSize?: number;
  /** Hosts that share the ranks in turn; those behind the first have folders of their own. Default: 1 */
  readonly numHosts?: number;
  /** Servers that draw the batches of all ranks. Default: each rank draws its own */
  readonly samplers?: number;
  readonly onEvent?: (event: StepEvent) => void;
  readonly resume?: ArtifactDir | null;
}

/**
 * Runs a step on ranks that share the output folder of their host, as its worker does; rank 0's draft becomes the
 * manifest.
 */
export async function runStepRanks(
  step: StepComponent,
  inputs: Record<string, ArtifactDir>,
  options: unknown,
  { worldSize = 2, numHosts = 1, samplers = 0, onEvent = () => {}, resume = null }: RankStepOptions = {},
): Promise<ArtifactDir> {
  const scratchDir = await mkdtemp(join(tmpdir(), "hopwise-step-"));
  const outDir = join(scratchDir, "out");
  for (let host = 0; host < numHosts; host++) await mkdir(join(hostDir(scratchDir, host), "out"), { recursive: true });
  const registry = await loadRegistry();
  const parsed = step.options.parse(options);
  const signal = new AbortController().signal;
  const services = inProcessRowServices(worldSize);
  const served = await Promise.all(
    Array.from({ length: samplers }, async () => {
      const sampler = await step.createSampler?.({ options: parsed, inputs, registry });
      if (!sampler) throw new Error(`${step.name}: it draws no batches`);
      return serveSampler({ sampler, secret: null });
    }),
  );
  const endpoints = served.map(({ endpoint }) => endpoint);
  const drafts = await Promise.all(
    loopbackGroup(worldSize).map((collective, rank) => {
      const connectRows = async () => services[rank]!;
      const place = { rank, worldSize, localRank: Math.floor(rank / numHosts), numHosts };
      const connectSampler = samplers > 0 && { connectSampler: () => remoteSampler(endpoints, { secret: null, rank }) };
      const context = { ...place, device: "cpu", threads: 1, collective, connectRows, ...connectSampler } as const;
      const dir = hostDir(scratchDir, rank % numHosts);
      return step.run({
        options: parsed,
        inputs,
        outDir: join(dir, "out"),
        scratchDir: dir,
        rank: context,
        registry,
        resume,
        onEvent,
        signal,
      });
    }),
  );
  await Promise.all(served.map((server) => server.close()));
  const [draft, ...others] = drafts;
  if (!draft || others.some((other) => other !== null)) throw new Error(`${step.name}: only rank 0 returns a draft`);
  const digests = Object.fromEntries(Object.entries(inputs).map(([kind, { manifest }]) => [kind, manifest.digest]));
  const context = { kind: step.output, step: step.name, stepVersion: step.version, engine: "test", inputs: digests };
  await writeManifestFile(outDir, await buildManifest(outDir, draft, { ...context, options }));
  return readManifestFile(outDir);
}

function hostDir(scratchDir: string, host: number): string {
  return host === 0 ? scratchDir : join(scratchDir, `host-${host}`);
}
