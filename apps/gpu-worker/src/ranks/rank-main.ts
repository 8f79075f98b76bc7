import { problemFrom } from "@hopwise/contracts";
import { type RankContext, selectBackend } from "@hopwise/gnn-core/ranks";
import {
  buildManifest,
  engineVersion,
  GnnError,
  loadRegistry,
  type Manifest,
  type Registry,
  type StepComponent,
  type StepContext,
  type StepEvent,
  stepEvent,
} from "@hopwise/gnn-core/spec";
import { joinCollective } from "./engine.ts";
import { LauncherLink } from "./launcher-link.ts";
import type { StartMessage } from "./messages.ts";
import { PulseCounters } from "./pulse.ts";
import type { RankArguments } from "./rank-process.ts";

/** One rank: a child of the worker that runs one step and ends. */
const known = JSON.parse(process.argv[2] ?? "") as RankArguments;
const controller = new AbortController();
const pulse = new PulseCounters();
let begin: (start: StartMessage) => void;
const started = new Promise<StartMessage>((resolve) => {
  begin = resolve;
});
const link = new LauncherLink((message) => {
  if (message.type === "start") begin(message);
  else controller.abort(new GnnError("CANCELLED", "The launcher asked this rank to stop."));
});

pulse.startWatchdog();
process.on("uncaughtException", (error) => void fail(error));
process.on("unhandledRejection", (error) => void fail(error));
try {
  const registry = await loadRegistry(known.components);
  await link.send({ type: "result", manifest: await runStep(await started, registry) });
  process.exit(0);
} catch (error) {
  await fail(error);
}

async function fail(error: unknown): Promise<never> {
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  await link.send({ type: "failed", problem: problemFrom(error), trace });
  process.exit(1);
}

async function runStep(start: StartMessage, registry: Registry): Promise<Manifest | null> {
  const step = registry.get("step", start.step);
  const options = parseOptions(step, start.options);
  if (step.ranks === "all") await selectBackend(known.backend);
  const collective = await joinCollective(start, known.rank, link);
  const rank: RankContext = {
    rank: known.rank,
    worldSize: start.worldSize,
    localRank: known.rank,
    device: start.device === "cpu" ? "cpu" : `cuda:${known.rank}`,
    threads: start.threads,
    collective: pulse.watching(collective),
  };
  const { inputs, resume, outDir, scratchDir } = start;
  const { signal } = controller;
  const context: StepContext = { options, inputs, resume, outDir, scratchDir, rank, registry, onEvent, signal };
  const draft = await step.run(context);
  await collective.close();
  return draft && buildManifest(outDir, draft, manifestContext(step, start));
}

function manifestContext(step: StepComponent, { inputs, options }: StartMessage) {
  const digests = Object.entries(inputs).map(([kind, { manifest }]) => [kind, manifest.digest] as const);
  return {
    kind: step.output,
    step: step.name,
    stepVersion: step.version,
    engine: engineVersion,
    inputs: Object.fromEntries(digests),
    options,
  };
}

function parseOptions(step: StepComponent, options: unknown): unknown {
  const parsed = step.options.safeParse(options);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const pointer = `/${(issue?.path ?? []).join("/")}`;
  throw new GnnError("SPEC_INVALID", `Options of step ${step.name}: ${pointer}: ${issue?.message}`, {
    cause: parsed.error,
    place: { pointer },
  });
}

function onEvent(event: StepEvent): void {
  pulse.advance();
  void link.send({ type: "event", event: stepEvent.parse(event) });
}
