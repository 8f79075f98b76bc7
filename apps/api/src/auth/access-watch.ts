import type { FastifyBaseLogger } from "fastify";
import type { PrismaClient } from "../generated/prisma/client.ts";
import { type Credential, viewersOf } from "./authenticate.ts";
import type { Viewer } from "./viewer.ts";

interface AccessWatchOptions {
  readonly prisma: PrismaClient;
  readonly log: Pick<FastifyBaseLogger, "warn">;
  /** Between two looks. */
  readonly everyMs?: number;
}

interface HeldAccess {
  readonly credential: Credential;
  readonly viewer: Viewer;
  readonly since: number;
  /** Called at every look for as long as the access is held. */
  readonly end: () => void;
}

/**
 * Ends what goes on after it was let in (sockets, event streams, transfers) once its key or session is revoked, ended
 * or expired, or stands for another role or project. It looks into the database, where every process writes what it
 * revokes, so that no message between processes has to arrive, and expiry is found like everything else.
 */
export class AccessWatch {
  readonly #options: Required<AccessWatchOptions>;
  readonly #held = new Set<HeldAccess>();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: AccessWatchOptions) {
    this.#options = { everyMs: 400, ...options };
  }

  /** @returns what ends the watching; to be called when the access is over */
  hold(credential: Credential, viewer: Viewer, end: () => void): () => void {
    const access: HeldAccess = { credential, viewer, since: performance.now(), end };
    this.#held.add(access);
    this.#lookLater();
    return () => this.#held.delete(access);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #lookLater(): void {
    if (this.#timer !== undefined || this.#isStopped || this.#held.size === 0) return;
    this.#timer = setTimeout(() => void this.#lookAndGoOn(), this.#options.everyMs);
    this.#timer.unref();
  }

  async #lookAndGoOn(): Promise<void> {
    await this.#look().catch((err: unknown) => this.#options.log.warn({ err }, "open connections were not checked"));
    this.#timer = undefined;
    this.#lookLater();
  }

  /** What began after the last look was authenticated since. */
  async #look(): Promise<void> {
    const before = performance.now() - this.#options.everyMs / 2;
    const held = [...this.#held].filter(({ since }) => since <= before);
    if (held.length === 0) return;
    const credentials = [...new Map(held.map(({ credential }) => [credential.hash, credential])).values()];
    const viewers = await viewersOf(this.#options.prisma, credentials);
    for (const { credential, viewer, end } of held) {
      const now = viewers.get(credential.hash);
      if (now?.role !== viewer.role || now.projectId !== viewer.projectId) end();
    }
  }
}
