import { createHmac, hkdfSync } from "node:crypto";
import type { StageKey } from "@hopwise/contracts";
import type { PrismaClient } from "../generated/prisma/client.ts";
import { serviceSecret } from "../store/service-secret.ts";

/**
 * Names of the places in Redis where the ranks of a stage's slices find each other: the same for all of them and for a
 * task that is enqueued again, and not to be guessed by a worker that has no part in the stage.
 */
export class RendezvousNames {
  readonly #prisma: PrismaClient;
  #key: Buffer | null = null;

  constructor(prisma: PrismaClient) {
    this.#prisma = prisma;
  }

  async of({ jobId, attempt, stageIndex }: Omit<StageKey, "slice">): Promise<string> {
    this.#key ??= keyFrom(await serviceSecret(this.#prisma, "signing"));
    return createHmac("sha256", this.#key).update(`${jobId}/${attempt}/${stageIndex}`).digest("base64url");
  }
}

function keyFrom(secret: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", "hopwise rendezvous names", 32));
}
