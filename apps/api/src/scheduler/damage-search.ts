import type { Integrity } from "../artifacts/integrity.ts";
import type { PrismaClient } from "../generated/prisma/client.ts";
import type { ActiveJob } from "../job-state/active-jobs.ts";
import { codeOf } from "../job-state/transitions/job-transitions.ts";
import type { Logger } from "../logger.ts";

export interface DamageSearchOptions {
  readonly prisma: PrismaClient;
  readonly integrity: Pick<Integrity, "check">;
  readonly log: Logger;
  /** A search has ended: its job may go on. */
  readonly onEnded: () => void;
}

/**
 * When a worker finds an input damaged or missing, this service reads all that the job may read, before it tries again:
 * a worker's word alone does not decide what is thrown away, and its own disk or network may be to blame.
 */
export class DamageSearch {
  readonly #options: DamageSearchOptions;
  /** Attempts whose inputs have been read. */
  readonly #ended = new Set<string>();
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(options: DamageSearchOptions) {
    this.#options = options;
  }

  /** Whether the job has to wait for a search, which begins here if need be. */
  holds({ id, attempts: [last], sourceJobId, datasetVersionId }: ActiveJob): boolean {
    const code = codeOf(last?.problem);
    if (!last || (code !== "ARTIFACT_DAMAGED" && code !== "ARTIFACT_MISSING") || this.#ended.has(last.id)) return false;
    if (!this.#underWay.has(last.id)) {
      const search = this.#search(id, sourceJobId, datasetVersionId)
        .catch((err: unknown) => this.#options.log.warn({ err, jobId: id }, "the job's inputs cannot be read now"))
        .finally(() => {
          this.#underWay.delete(last.id);
          this.#ended.add(last.id);
          this.#options.onEnded();
        });
      this.#underWay.set(last.id, search);
    }
    return true;
  }

  /** Resolves when no search is under way. */
  async settle(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  async #search(jobId: string, sourceJobId: string | null, versionId: string | null): Promise<void> {
    const { prisma, integrity } = this.#options;
    const jobIds = sourceJobId === null ? [jobId] : [jobId, sourceJobId];
    const version = versionId === null ? null : { id: versionId };
    const artifacts = await prisma.artifact.findMany({
      where: {
        deletedAt: null,
        OR: [
          { stages: { some: { jobId: { in: jobIds } } } },
          { kind: "checkpoint", jobId },
          ...(version ? [{ filesOf: version }, { graphOf: { some: version } }, { previewOf: { some: version } }] : []),
        ],
      },
    });
    for (const artifact of artifacts) await integrity.check(artifact);
  }
}
