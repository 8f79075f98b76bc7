import type { ArtifactStore } from "@hopwise/artifacts";
import { AppError, doctorKey, doctorMs, grantLifeMs, type StageTask } from "@hopwise/contracts";
import type { Registry } from "@hopwise/gnn-core/spec";
import type { PrismaClient } from "../generated/prisma/client.ts";
import type { Logger } from "../logger.ts";
import type { GrantClaims } from "./grant-claims.ts";
import { grantKey, openGrant, signGrant } from "./grant-token.ts";
import { serviceSecret } from "./service-secret.ts";
import { type SliceClaims, sliceClaims } from "./slice-claims.ts";
import { isSliceAtWork, type SliceHolder } from "./slice-life.ts";

export interface StoreGrantsOptions {
  readonly key: Buffer;
  readonly claimsOf: (task: StageTask) => Promise<SliceClaims>;
  readonly isAtWork: (slice: SliceHolder) => Promise<boolean>;
  readonly log: Pick<Logger, "warn">;
}

export interface StoreGrantsParts {
  readonly prisma: PrismaClient;
  readonly registry: Registry;
  readonly store: ArtifactStore;
  readonly log: Logger;
}

/** Gives workers grants for the artifact store, each for its own part of it, and checks what comes back. */
export class StoreGrants {
  readonly #options: StoreGrantsOptions;

  constructor(options: StoreGrantsOptions) {
    this.#options = options;
  }

  /** With the key of this service, on what its database and store say. */
  static async open({ prisma, registry, store, log }: StoreGrantsParts): Promise<StoreGrants> {
    return new StoreGrants({
      key: grantKey(await serviceSecret(prisma, "signing")),
      claimsOf: (task) => sliceClaims(task, registry, store),
      isAtWork: (slice) => isSliceAtWork(prisma, slice),
      log,
    });
  }

  /**
   * The task with a grant for its slice. When none can be made it goes without: a worker that shares the folder needs
   * none.
   */
  async addTo(task: StageTask): Promise<StageTask> {
    const { claimsOf, log } = this.#options;
    try {
      return { ...task, grant: this.#sign(await claimsOf(task), grantLifeMs) };
    } catch (err) {
      log.warn({ err, jobId: task.jobId, step: task.step }, "no grant can be made for the task");
      return task;
    }
  }

  /** For one check of the workers: what this one stores, and what the others do. */
  forDoctor(checkId: string, workers: readonly string[], workerId: string): string {
    const own = doctorKey(checkId, workerId);
    const only = workers.map((id) => doctorKey(checkId, id).slice("doctor/".length));
    const claims = { holder: { doctor: checkId }, reads: [{ prefix: "doctor", only }], writes: [{ blob: own }] };
    return this.#sign(claims, doctorMs);
  }

  /**
   * What an `Authorization` header allows now.
   *
   * @throws AppError GRANT_INVALID when it carries no grant, one of somebody else's or an expired one; GRANT_FORBIDDEN
   * when what it was given for is over
   */
  async check(authorization: string | undefined): Promise<GrantClaims> {
    const [, token = ""] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
    const claims = openGrant(token, this.#options.key, new Date());
    await this.requireLive(claims);
    return claims;
  }

  /** @throws AppError GRANT_FORBIDDEN when what the grant was given for is over */
  async requireLive({ holder }: GrantClaims): Promise<void> {
    if ("doctor" in holder || (await this.#options.isAtWork(holder))) return;
    throw new AppError(
      "GRANT_FORBIDDEN",
      `This grant was for stage ${holder.stage} of attempt ${holder.attempt}, which is over; its worker stops.`,
    );
  }

  /** Signs a grant again with a later end. @throws AppError GRANT_FORBIDDEN for a doctor's, which is for one check */
  renewed(claims: GrantClaims): string {
    if ("doctor" in claims.holder) throw new AppError("GRANT_FORBIDDEN", "The grant of a check is not renewed.");
    return this.#sign(claims, grantLifeMs);
  }

  #sign(claims: Omit<GrantClaims, "expires">, lifeMs: number): string {
    return signGrant({ ...claims, expires: Math.ceil((Date.now() + lifeMs) / 1000) }, this.#options.key);
  }
}
