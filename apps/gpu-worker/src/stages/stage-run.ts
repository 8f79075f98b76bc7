import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BlobStore } from "@hopwise/artifacts";
import {
  isLeadRank,
  keyName,
  keyOfTask,
  type Member,
  type StageKey,
  type StageTask,
  type WorkerEventBody,
} from "@hopwise/contracts";
import type { Manifest, StepComponent } from "@hopwise/gnn-core/spec";
import type { Logger } from "../log.ts";
import type { GroupOutcome, MemberFailure } from "../ranks/group-state.ts";
import type { RankGroup } from "../ranks/launcher.ts";
import type { MemberEvent, StartMessage } from "../ranks/messages.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { FetchedInputs } from "./fetch-inputs.ts";
import { launchGroup, requireAbleWorker } from "./launch-group.ts";
import { holdLease } from "./lease.ts";
import { ProgressThrottle } from "./progress-throttle.ts";
import { errorEvent, failedEvent, type Stop, stopEvent } from "./stage-end.ts";
import { StageFiles } from "./stage-files.ts";
import { type StageServices, stagesDir } from "./stage-services.ts";

/** A step tells by itself that the seconds for reading are over, with the file; if it does not, it hangs. */
const graceMs = 5000;

/** Failures after which a device is tried before another stage gets it */
const suspicious: ReadonlySet<string> = new Set(["DEVICE_LOST", "DEVICE_FAULT"]);

const longestTimerMs = 2 ** 31 - 1;

/** One stage of one attempt on this worker: from its task to the event that ends it. */
export class StageRun {
  readonly key: StageKey;
  readonly #task: StageTask;
  readonly #services: StageServices;
  readonly #log: Logger;
  readonly #dir: string;
  readonly #throttle: ProgressThrottle;
  readonly #files: StageFiles;
  readonly #stopReading = new AbortController();
  readonly #stopWriting = new AbortController();
  #group: RankGroup | null = null;
  #stopped: Stop | null = null;
  #endsTraining = false;

  constructor(task: StageTask, services: StageServices) {
    const { jobId, attempt, step, requestId } = task;
    this.key = keyOfTask(task);
    this.#task = task;
    this.#services = services;
    this.#log = services.log.child({ jobId, attempt, step, ...(requestId ? { requestId } : {}) });
    this.#dir = join(stagesDir(services.env.worker.dir), keyName(this.key));
    this.#throttle = new ProgressThrottle((body) => this.#tell(body));
    this.#files = new StageFiles({
      task,
      services,
      log: this.#log,
      reading: this.#stopReading.signal,
      writing: this.#stopWriting.signal,
      tell: (body) => this.#tell(body),
      progress: (progress) => this.#progress(progress),
    });
  }

  /** Runs the stage to its end. Never throws: the outcome is its last event. */
  async run(): Promise<void> {
    const { redis, desired, outbox, env } = this.#services;
    this.#log.info("stage begins");
    const lease = holdLease(redis, this.key, this.#services, this.#log, (holder) => {
      this.#log.warn({ holder }, "another process holds the lease of this attempt");
      this.stop("overtaken");
    });
    const unwatch = desired.watch(this.key, {
      onStop: (reason) => this.stop(reason),
      onEndTraining: () => this.#endTraining(),
    });
    const limit = setTimeout(() => this.stop("timeLimit"), Math.min(this.#task.maxDurationMs, longestTimerMs));
    try {
      const end = await this.#execute().catch((error: unknown) => this.#failure(error));
      this.#throttle.flush();
      if (this.#stopped === "overtaken") outbox.drop(this.key);
      else this.#tell(end);
      if (this.#stopped === "cancelled") outbox.hurryEnd(this.key);
      this.#log.info({ end: end.type, host: env.worker.host }, "stage ended");
    } finally {
      clearTimeout(limit);
      unwatch();
      await (this.#stopped === "shutdown" ? lease.release() : lease.stop());
      await rm(this.#dir, { recursive: true, force: true });
    }
  }

  /** Stops the members; the first reason given is the one reported. */
  stop(reason: Stop): void {
    if (this.#stopped) return;
    this.#stopped = reason;
    this.#log.info({ reason }, "stage is stopped");
    this.#group?.stop();
    this.#stopReading.abort();
    if (reason !== "shutdown") this.#stopWriting.abort();
  }

  #endTraining(): void {
    this.#log.info("a training is to end here");
    this.#endsTraining = true;
    this.#group?.endTraining();
  }

  async #execute(): Promise<WorkerEventBody> {
    const step = this.#services.registry.get("step", this.#task.step);
    requireAbleWorker(step, this.#task, this.#services);
    const outDir = join(this.#dir, "out");
    const scratchDir = join(this.#dir, "scratch");
    await rm(this.#dir, { recursive: true, force: true });
    await mkdir(outDir, { recursive: true });
    await mkdir(scratchDir, { recursive: true });
    if (this.#stopped) return this.#stopEvent(this.#stopped);

    const { store, release } = this.#files.open();
    try {
      return await this.#runGroup(step, store, outDir, scratchDir);
    } finally {
      release();
    }
  }

  async #runGroup(step: StepComponent, store: BlobStore, outDir: string, scratchDir: string): Promise<WorkerEventBody> {
    const checkpoints = this.#checkpoints(step, store);
    const group = this.#launch(step, checkpoints);
    try {
      const fetched = await this.#files.fetch(step);
      try {
        group.start(this.#startMessage(step, fetched, outDir, scratchDir));
        const outcome = await this.#withinSeconds(step, group.outcome);
        await checkpoints.settle();
        if (outcome.type === "failed") {
          if (this.#stopped) return this.#stopEvent(this.#stopped);
          await this.#noteLostDevice(outcome.cause);
          return await failedEvent(outcome.cause, this.#task, this.#services.env);
        }
        return outcome.manifest ? await this.#store(store, outDir, outcome.manifest) : { type: "sliceFinished" };
      } finally {
        fetched.release();
      }
    } finally {
      group.stop();
      await group.outcome;
    }
  }

  #launch(step: StepComponent, checkpoints: Checkpoints): RankGroup {
    const group = launchGroup(step, this.#task, this.#services, {
      log: this.#log,
      onStarted: (started) => this.#tell(started),
      onEvent: (member, event) => this.#onMemberEvent(member, event, checkpoints),
      onIncident: (incident) => {
        this.#log.warn({ ...incident }, "incident");
        if (!this.#stopped) this.#tell({ type: "incident", ...incident, host: this.#services.env.worker.host });
      },
    });
    this.#group = group;
    if (this.#endsTraining) group.endTraining();
    return group;
  }

  /** Said before the stage's end is, or its next attempt might get the device again. */
  async #noteLostDevice({ member, problem }: MemberFailure): Promise<void> {
    const { slice } = this.#task;
    const uuid = member.kind === "rank" ? slice.devices[member.index - slice.ranks.first] : undefined;
    if (!suspicious.has(problem.code) || uuid === undefined) return;
    this.#services.devices.suspect(uuid, problem.code === "DEVICE_LOST");
    await this.#services.announce();
  }

  /** Stops a step that reads uploaded files when its seconds are long over. */
  async #withinSeconds(step: StepComponent, outcome: Promise<GroupOutcome>): Promise<GroupOutcome> {
    if (!step.seconds) return outcome;
    const { most } = this.#services.env.limits.reading[step.seconds];
    const timer = setTimeout(() => this.stop("readingLimit"), Math.min(most * 1000 + graceMs, longestTimerMs));
    try {
      return await outcome;
    } finally {
      clearTimeout(timer);
    }
  }

  #startMessage(
    step: StepComponent,
    { inputs, resume }: FetchedInputs,
    outDir: string,
    scratchDir: string,
  ): Omit<StartMessage, "member" | "localRank"> {
    const { options, device, threadsPerRank, ranks, samplers, rankHosts, slice } = this.#task;
    const { env } = this.#services;
    return {
      type: "start",
      step: step.name,
      options,
      inputs,
      resume,
      outDir,
      scratchDir,
      worldSize: ranks,
      samplers,
      numHosts: rankHosts,
      network: slice.count === 1 ? null : env.network,
      device,
      threads: threadsPerRank,
      limits: env.limits.reading,
      // All hosts of a stage use this name and no other group ever does: ranks of other groups or attempts never meet.
      group: keyName({ ...this.key, slice: 0 }),
    };
  }

  /** The stage's progress is the first host's to tell. */
  #progress(progress: { phase: string; completed: number; total: number }): void {
    if (this.key.slice === 0) this.#throttle.push({ type: "progress", unit: "artifacts", ...progress });
  }

  /** Progress and metrics are rank 0's to tell: the others' would only repeat them. */
  #onMemberEvent(member: Member, event: MemberEvent, checkpoints: Checkpoints): void {
    const isLead = isLeadRank(member);
    if (event.type === "checkpoint") {
      if (isLead) checkpoints.push(event);
    } else if (isLead || event.type === "member" || event.type === "log") {
      this.#throttle.push(event);
    }
  }

  #checkpoints(step: StepComponent, store: BlobStore): Checkpoints {
    return this.#files.checkpoints(step, store, {
      // What a worker that is shut down still has is where the job goes on.
      mayWrite: async () => (await this.#mayWrite()) || this.#stopped === "shutdown",
      onSaved: (saved) => {
        this.#throttle.flush();
        this.#tell(saved);
      },
    });
  }

  async #store(store: BlobStore, outDir: string, manifest: Manifest): Promise<WorkerEventBody> {
    if (!(await this.#mayWrite())) return this.#stopEvent(this.#stopped ?? "overtaken");
    return { type: "stageSucceeded", artifact: await this.#files.storeResult(store, outDir, manifest) };
  }

  /** Whether this attempt still holds the fencing token, as far as Redis can say; prefixes differ by attempt anyway. */
  async #mayWrite(): Promise<boolean> {
    const reason = await this.#services.desired.stopReason(this.key).catch(() => null);
    if (reason) this.stop(reason);
    return this.#stopped === null;
  }

  #failure(error: unknown): WorkerEventBody {
    if (this.#stopped) return this.#stopEvent(this.#stopped);
    this.#log.error({ err: error }, "stage failed in the worker");
    return errorEvent(error);
  }

  #stopEvent(reason: Stop): WorkerEventBody {
    return stopEvent(reason, this.#task, this.#services);
  }

  #tell(body: WorkerEventBody): void {
    this.#services.outbox.append(this.key, body);
  }
}
