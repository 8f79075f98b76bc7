import { readdir, rm } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { BlobStore } from "@hopwise/artifacts";
import { checkpointPrefix, problemFrom, type StageTask, type WorkerEventBody } from "@hopwise/contracts";
import { buildManifest, engineVersion, type StepEvent } from "@hopwise/gnn-core/spec";
import type { Logger } from "../log.ts";
import { storeArtifact } from "./store-result.ts";

export type CheckpointEvent = Extract<StepEvent, { type: "checkpoint" }>;

export interface CheckpointOptions {
  readonly store: BlobStore;
  readonly task: StageTask;
  readonly stepVersion: number;
  readonly log: Logger;
  /** Asked right before the manifest makes it visible; false = the attempt has been overtaken. */
  readonly mayWrite: () => Promise<boolean>;
  /** The disk of the store was full: told once until a checkpoint fits again. */
  readonly onFull: (detail: string) => void;
  readonly onSaved: (saved: Extract<WorkerEventBody, { type: "checkpointSaved" }>) => void;
}

/**
 * Stores the checkpoints of a stage while it goes on: one at a time, and of those that come meanwhile only the newest.
 * Local folders are removed either way.
 */
export class Checkpoints {
  readonly #options: CheckpointOptions;
  #next: CheckpointEvent | null = null;
  #storing: Promise<void> | null = null;
  #isFull = false;

  constructor(options: CheckpointOptions) {
    this.#options = options;
  }

  push(event: CheckpointEvent): void {
    const superseded = this.#next;
    this.#next = event;
    if (superseded) void rm(superseded.dir, { recursive: true, force: true });
    this.#storing ??= this.#storeAll().finally(() => {
      this.#storing = null;
    });
  }

  /** Resolves when the last one pushed is stored. */
  async settle(): Promise<void> {
    await this.#storing;
  }

  async #storeAll(): Promise<void> {
    for (let event = this.#next; event; event = this.#next) {
      this.#next = null;
      try {
        await this.#store(event);
        this.#isFull = false;
      } catch (err) {
        this.#noteFull(err);
        // The stage does not need it to go on; a later one or the next attempt's last one will do.
        this.#options.log.error({ err, epoch: event.epoch }, "checkpoint was not stored");
      } finally {
        await rm(event.dir, { recursive: true, force: true });
      }
    }
  }

  #noteFull(error: unknown): void {
    const { code, detail } = problemFrom(error);
    if (code !== "STORAGE_FULL") return;
    if (!this.#isFull) this.#options.onFull(detail);
    this.#isFull = true;
  }

  async #store({ dir, epoch, step, metrics, info }: CheckpointEvent): Promise<void> {
    const { store, task, stepVersion, mayWrite, onSaved } = this.#options;
    const draft = { info, blobs: (await filesOf(dir)).map((name) => ({ name })) };
    const manifest = await buildManifest(dir, draft, {
      kind: "checkpoint",
      step: task.step,
      stepVersion,
      engine: engineVersion,
      inputs: Object.fromEntries(Object.entries(task.inputs).map(([kind, ref]) => [kind, ref.digest])),
      options: task.options,
    });
    if (!(await mayWrite())) return;
    const id = `${task.output.id}-checkpoint-${epoch}-${step}`;
    const place = { id, prefix: checkpointPrefix(task.output.prefix, epoch, step), reuseKey: null };
    onSaved({
      type: "checkpointSaved",
      artifact: await storeArtifact(store, dir, manifest, place),
      epoch,
      step,
      metrics,
    });
  }
}

async function filesOf(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .toSorted();
}
