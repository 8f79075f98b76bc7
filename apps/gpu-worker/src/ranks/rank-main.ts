import { type Member, type Problem, problemFrom, stageEventOf } from "@hopwise/contracts";
import {
  type RankContext,
  type RemoteSampler,
  type RowService,
  selectBackend,
  tryBackend,
} from "@hopwise/gnn-core/ranks";
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
import { holdDevice } from "./device-lock.ts";
import { joinCollective, joinRows, joinSamplers, networkOf } from "./engine.ts";
import { LauncherLink } from "./launcher-link.ts";
import { isAllocationFailure, outOfMemory } from "./memory-limit.ts";
import type { MemberEvent, StartMessage } from "./messages.ts";
import { confineNccl } from "./nccl-interface.ts";
import { PulseCounters } from "./pulse.ts";
import type { RankArguments } from "./rank-process.ts";
import { serveBatches } from "./serve-batches.ts";

/** Some idle processes of this size are no burden to a host that trains graphs. */
const maxIdleBytes = 512 * 2 ** 20;

/**
 * One rank or sampler process: a child of the worker. It runs one step after another, for as long as it is fit for a
 * next one.
 */
const known = JSON.parse(process.argv[2] ?? "") as RankArguments;
const pulse = new PulseCounters();
const controller = new AbortController();
/** Aborted when the step that runs is to end its training */
let trainingEnd = new AbortController();
let current = "its start";
let begin: (start: StartMessage) => void = () => undefined;
let started = nextStart();
const link = new LauncherLink((message) => {
  if (message.type === "start") beginStep(message);
  else if (message.type === "try") void answerTry().catch(fail);
  else if (message.type === "endTraining") trainingEnd.abort();
  else controller.abort(new GnnError("CANCELLED", "The launcher asked this rank to stop."));
});

pulse.startWatchdog();
process.on("uncaughtException", (error) => void fail(error));
process.on("unhandledRejection", (error) => void fail(error));
try {
  const registry = await loadRegistry(known.components);
  let isFree = true;
  while (isFree) {
    const start = await started;
    started = nextStart();
    const manifest = await runStep(start, registry);
    isFree = isFit();
    await link.send({ type: "result", manifest, isFree });
  }
  process.exit(0);
} catch (error) {
  await fail(error);
}

async function answerTry(): Promise<void> {
  const device = await selectBackend(known.backend, known);
  await tryBackend();
  await link.send({ type: "tried", device });
}

/** What is said of the step before it does not hold for this one, and the next message may be here already. */
function beginStep(start: StartMessage): void {
  trainingEnd = new AbortController();
  begin(start);
}

function nextStart(): Promise<StartMessage> {
  return new Promise((resolve) => {
    begin = resolve;
  });
}

/**
 * Whether this process can serve a next step as if it were new. Not when it was told to stop, when it holds a device,
 * which is another job's from now on, or much memory (mapped graphs included), or when it ran an operator's own
 * components: nobody knows what they leave behind.
 */
function isFit(): boolean {
  if (known.device !== null) return false;
  return !controller.signal.aborted && known.components.length === 0 && process.memoryUsage.rss() < maxIdleBytes;
}

async function fail(error: unknown): Promise<never> {
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  await link.send({ type: "failed", problem: problemOfFailure(error, trace), trace });
  process.exit(1);
}

function problemOfFailure(error: unknown, trace: string): Problem {
  const problem = problemFrom(error);
  if (problem.code !== "INTERNAL" || !isAllocationFailure(trace)) return problem;
  return outOfMemory("A rank", current, known.memoryBytes);
}

async function runStep(start: StartMessage, registry: Registry): Promise<Manifest | null> {
  pulse.begin();
  current = start.step;
  const { signal: endSignal } = trainingEnd;
  const step = registry.get("step", start.step);
  const options = parseOptions(step, start.options);
  const network = networkOf(start, link);
  const { signal } = controller;
  const { member, samplers } = start;
  if (member.kind === "sampler") {
    await serveBatches({ start, step, options, registry, network, pulse, onEvent: tell, signal });
    return null;
  }
  if (known.device !== null) await holdDevice(known.device);
  confineNccl(network.address);
  if (step.ranks === "all") await selectBackend(known.backend, known);
  const place = { rank: member.index, worldSize: start.worldSize };
  const collective = await joinCollective(place, network);
  const peers: Peers = {};
  const rank: RankContext = {
    ...place,
    localRank: start.localRank,
    numHosts: start.numHosts,
    // TensorFlow takes the first device that it may see, in every rank.
    device: start.device === "cpu" ? "cpu" : "cuda:0",
    threads: start.threads,
    collective: pulse.watching(collective),
    connectRows: () => (peers.rows ??= joinRows(place, network)),
    ...(samplers > 0
      ? { connectSampler: () => (peers.sampler ??= joinSamplers(member.index, samplers, network)) }
      : {}),
  };
  const { inputs, resume, outDir, scratchDir, limits } = start;
  const files = { inputs, resume, outDir, scratchDir, limits };
  const onEvent = (event: StepEvent) => tell(memberEventOf(member, event));
  const context: StepContext = { options, ...files, rank, registry, onEvent, signal, endSignal };
  const draft = await step.run(context);
  await leave(rank, peers);
  return draft && buildManifest(outDir, draft, manifestContext(step, start));
}

/** What a rank has connected with beside the collective. */
interface Peers {
  rows?: Promise<RowService>;
  sampler?: Promise<RemoteSampler>;
}

/**
 * Ends this rank's part in the step. A peer may read this rank's rows until it has ended its own; sampler processes
 * wait for the word of every rank, also of one that has asked for nothing.
 */
async function leave({ collective, connectSampler }: RankContext, peers: Peers): Promise<void> {
  await connectSampler?.();
  await (await peers.sampler)?.close();
  const rows = await peers.rows;
  if (rows) await collective.barrier();
  await rows?.close();
  await collective.close();
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

/** An operator's own step may say anything. */
function memberEventOf(member: Member, event: StepEvent): MemberEvent {
  const said = stepEvent.parse(event);
  return said.type === "checkpoint" ? said : stageEventOf(member, said);
}

function tell(event: MemberEvent): void {
  pulse.advance();
  void link.send({ type: "event", event });
}
