import { type ArtifactStore, deleteArtifact } from "@hopwise/artifacts";
import type { PrismaClient } from "../generated/prisma/client.ts";
import { type Tx, transactionLimits } from "../job-state/job-store.ts";
import { type Leadership, LeadershipLost } from "../leader/leadership.ts";
import type { Logger } from "../logger.ts";
import { replaceDamaged } from "./artifact-checks.ts";
import {
  dropDeletedDatasets,
  dropModelUploads,
  markUnreferenced,
  removeDeletedJobs,
  reviveReferenced,
  supersedeCheckpoints,
} from "./drop-references.ts";
import { removeOrphans } from "./remove-orphans.ts";

export interface SweepOptions {
  readonly prisma: PrismaClient;
  readonly store: ArtifactStore;
  readonly log: Logger;
  /** Time from one sweep's end to the next one's start. */
  readonly everyMs: number;
  /** How long blobs outlive the last reference: readers that have begun may finish. */
  readonly delayMs: number;
}

type Leader = Pick<Leadership, "assert">;

const batch = 100;

/**
 * Deletes what nothing refers to any more. The reference goes first, in the database; after a delay the blobs, the
 * manifest before the rest; then the row. Killed at any point, the next sweep goes on from there.
 */
export class Sweep {
  readonly #options: SweepOptions;
  #running: Promise<void> | null = null;
  #dueAt = 0;

  constructor(options: SweepOptions) {
    this.#options = options;
  }

  /** Begins a sweep beside the caller's work, unless one is under way or the last was a short while ago. */
  startIfDue(leader: Leader): void {
    if (this.#running || performance.now() < this.#dueAt) return;
    this.#running = this.run(leader)
      .catch((err: unknown) => {
        if (!(err instanceof LeadershipLost)) this.#options.log.warn({ err }, "a sweep was cut short");
      })
      .finally(() => {
        this.#dueAt = performance.now() + this.#options.everyMs;
        this.#running = null;
      });
  }

  /** Resolves when no sweep is under way. */
  async settle(): Promise<void> {
    await this.#running;
  }

  /** @throws LeadershipLost when another process has been elected; nothing is marked then */
  async run(leader: Leader): Promise<void> {
    const now = new Date();
    const until = new Date(now.getTime() - this.#options.delayMs);
    await this.#change(leader, async (tx) => {
      await replaceDamaged(tx);
      await supersedeCheckpoints(tx, now);
      await dropModelUploads(tx, now);
      await dropDeletedDatasets(tx, now);
      await markUnreferenced(tx, now);
      await reviveReferenced(tx);
    });
    const removed = await this.#removeArtifacts(leader, until);
    await this.#removeOpenUploads(leader, until);
    const { prisma, store } = this.#options;
    const halves = await store.removeAbandoned();
    if (halves > 0) this.#options.log.info({ files: halves }, "files of writers that were killed are deleted");
    const orphans = await removeOrphans({ prisma, store, until, change: (change) => this.#change(leader, change) });
    if (orphans > 0) this.#options.log.info({ orphans }, "half-published artifacts of ended attempts are deleted");
    await this.#change(leader, (tx) => removeDeletedJobs(tx, until));
    if (removed > 0) this.#options.log.info({ removed }, "artifacts that nothing referred to are deleted");
  }

  async #removeArtifacts(leader: Leader, until: Date): Promise<number> {
    const { prisma, store } = this.#options;
    for (let removed = 0; ; ) {
      const where = { deletedAt: { lte: until } };
      const artifacts = await prisma.artifact.findMany({ where, take: batch, orderBy: { deletedAt: "asc" } });
      for (const { prefix } of artifacts) await deleteArtifact(store, prefix);
      const ids = artifacts.map(({ id }) => id);
      await this.#change(leader, (tx) => tx.artifact.deleteMany({ where: { id: { in: ids } } }));
      removed += ids.length;
      if (ids.length < batch) return removed;
    }
  }

  /** Files of deleted datasets that were uploaded and never made an artifact. */
  async #removeOpenUploads(leader: Leader, until: Date): Promise<void> {
    const { prisma, store } = this.#options;
    const versions = await prisma.datasetVersion.findMany({
      where: {
        dataset: { deletedAt: { lte: until } },
        filesId: null,
        OR: [{ filesPrefix: { not: null } }, { sources: { some: {} } }],
      },
      select: { id: true, filesPrefix: true },
    });
    for (const { id, filesPrefix } of versions) {
      if (filesPrefix !== null) await deleteArtifact(store, filesPrefix);
      await this.#change(leader, async (tx) => {
        await tx.sourceFile.deleteMany({ where: { versionId: id } });
        await tx.datasetVersion.update({ where: { id }, data: { filesPrefix: null } });
      });
    }
  }

  #change<T>(leader: Leader, change: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#options.prisma.$transaction(async (tx) => {
      await leader.assert(tx);
      return change(tx);
    }, transactionLimits);
  }
}
