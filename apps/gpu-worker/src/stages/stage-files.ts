import type { BlobStore } from "@hopwise/artifacts";
import type { MadeArtifact, StageTask, WorkerEventBody } from "@hopwise/contracts";
import type { Manifest, StepComponent } from "@hopwise/gnn-core/spec";
import type { Logger } from "../log.ts";
import { Checkpoints } from "./checkpoints.ts";
import { type FetchedInputs, fetchInputs } from "./fetch-inputs.ts";
import type { StageServices } from "./stage-services.ts";
import { storeArtifact } from "./store-result.ts";
import { waitForSpace } from "./wait-for-space.ts";

type CheckpointSaved = Extract<WorkerEventBody, { type: "checkpointSaved" }>;

export interface StageFilesOptions {
  readonly task: StageTask;
  readonly services: Pick<StageServices, "env" | "stores" | "cache">;
  readonly log: Logger;
  /** Aborts whenever the stage is stopped: a stage that begins no more needs no inputs. */
  readonly reading: AbortSignal;
  /** Does not abort when the worker is shut down: what it has by then is where the job goes on. */
  readonly writing: AbortSignal;
  readonly tell: (body: WorkerEventBody) => void;
  readonly progress: (progress: { phase: string; completed: number; total: number }) => void;
}

/** What one stage reads from the artifact store and writes to it. While a disk is full the stage waits, and says so. */
export class StageFiles {
  readonly #options: StageFilesOptions;

  constructor(options: StageFilesOptions) {
    this.#options = options;
  }

  /** The artifact store as this slice may write to it, until it is released. */
  open() {
    return this.#open(this.#options.writing);
  }

  /** Brings the inputs of the step, or what this slice reads of them, to the local disk. */
  async fetch(step: StepComponent): Promise<FetchedInputs> {
    const { task, services, reading, progress } = this.#options;
    const { store, release } = this.#open(reading);
    const fetched = () =>
      fetchInputs(services.cache, store, step, task, (completed, total) =>
        progress({ phase: "fetch inputs", completed, total }),
      );
    try {
      return await this.#waitForSpace(fetched);
    } finally {
      release();
    }
  }

  /** Stores what the step left in `outDir`. */
  async storeResult(store: BlobStore, outDir: string, manifest: Manifest): Promise<MadeArtifact> {
    const { task, progress } = this.#options;
    progress({ phase: "store result", completed: 0, total: 1 });
    const artifact = await this.#waitForSpace(() => storeArtifact(store, outDir, manifest, task.output));
    progress({ phase: "store result", completed: 1, total: 1 });
    return artifact;
  }

  checkpoints(
    step: StepComponent,
    store: BlobStore,
    { mayWrite, onSaved }: { mayWrite: () => Promise<boolean>; onSaved: (saved: CheckpointSaved) => void },
  ): Checkpoints {
    const { task, log } = this.#options;
    const onFull = (detail: string) => this.#tellFull(`${detail} The stage goes on without this checkpoint.`);
    return new Checkpoints({ store, task, stepVersion: step.version, log, mayWrite, onFull, onSaved });
  }

  #open(signal: AbortSignal) {
    const { services, task } = this.#options;
    return services.stores.open({ grant: task.grant, signal });
  }

  #waitForSpace<T>(work: () => Promise<T>): Promise<T> {
    const onFull = (detail: string) => this.#tellFull(`${detail} The stage waits until there is room.`);
    return waitForSpace(work, { signal: this.#options.reading, onFull });
  }

  #tellFull(message: string): void {
    const { services, log, tell } = this.#options;
    log.warn({ detail: message }, "a disk is full");
    tell({ type: "incident", code: "STORAGE_FULL", message, member: null, host: services.env.worker.host });
  }
}
