import type { Server } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { BlobStore, GrantedStores } from "@hopwise/artifacts";
import {
  type DoctorConnection,
  type DoctorListening,
  type DoctorReport,
  type DoctorRequest,
  doctorKey,
  doctorListening,
  doctorMs,
  doctorRequest,
  redisChannels,
  redisKeys,
} from "@hopwise/contracts";
import type { Redis } from "ioredis";
import type { Env } from "../env.ts";
import type { Logger } from "../log.ts";
import { listenForPeers } from "./peer-server.ts";
import { probePeer } from "./probe-peer.ts";

export interface DoctorOptions {
  readonly redis: Redis;
  readonly stores: GrantedStores;
  readonly network: Env["network"];
  readonly workerId: string;
  readonly log: Logger;
}

/** How long the others may take to listen, and to end their probes. */
const othersMs = 8000;
const lookMs = 50;
/** How long the artifact store may take for each of its parts in the check. */
const storeMs = 3000;

/** This worker's part in a check of all workers' connections (`script/doctor`). */
export class DoctorVisits {
  readonly #options: DoctorOptions;
  #current: string | null = null;

  constructor(options: DoctorOptions) {
    this.#options = options;
  }

  /** Subscribes to wake-ups on a connection in subscriber mode. */
  async listen(subscriber: Redis): Promise<void> {
    const { log } = this.#options;
    subscriber.on("message", (channel) => {
      if (channel === redisChannels.doctor) this.#visit().catch((err) => log.warn({ err }, "doctor"));
    });
    await subscriber.subscribe(redisChannels.doctor);
  }

  async #visit(): Promise<void> {
    const { redis, network, workerId } = this.#options;
    const request = doctorRequest.parse(JSON.parse((await redis.get(redisKeys.doctor)) ?? "null"));
    if (request.id === this.#current || !request.workers.includes(workerId)) return;
    this.#current = request.id;
    const server = network && (await listenForPeers(network, request.id).catch((error: Error) => error));
    const ownKey = doctorKey(request.id, workerId);
    let grant: string | undefined;
    try {
      grant = await this.#grantFor(request);
      await this.#useStore(grant, (store) => store.put(ownKey, Buffer.from(request.id)));
      await this.#tell(request, "listening", listeningAt(server));
      await this.#tell(request, "report", await this.#examine(request, grant));
      await this.#answers(request, "report");
    } finally {
      if (server && !(server instanceof Error)) server.close();
      await this.#useStore(grant, (store) => store.delete(ownKey));
    }
  }

  /** What the API allows this worker of the artifact store in this check, where the store asks for it. */
  async #grantFor(request: DoctorRequest): Promise<string | undefined> {
    const { redis, stores, workerId } = this.#options;
    if (!stores.needsGrant) return undefined;
    const deadline = performance.now() + storeMs;
    for (;;) {
      const grant = await redis.get(redisKeys.doctorGrant(workerId, request.id));
      if (grant !== null || performance.now() > deadline) return grant ?? undefined;
      await delay(lookMs);
    }
  }

  /** @returns null when the store fails, or there is no grant for it */
  async #useStore<T>(grant: string | undefined, use: (store: BlobStore) => Promise<T>): Promise<T | null> {
    const { stores, log } = this.#options;
    try {
      const { store, release } = stores.open({ grant, signal: AbortSignal.timeout(storeMs) });
      return await use(store).finally(release);
    } catch (err) {
      log.warn({ err }, "the artifact store fails in the check");
      return null;
    }
  }

  async #examine(request: DoctorRequest, grant: string | undefined): Promise<DoctorReport> {
    const { workerId } = this.#options;
    const listening = await this.#answers(request, "listening");
    const connections: Record<string, DoctorConnection> = {};
    const sharesStore: Record<string, boolean> = {};
    // Each begins with another one, so that they do not all wait for the same.
    const own = request.workers.indexOf(workerId);
    for (const other of [...request.workers.slice(own + 1), ...request.workers.slice(0, own)]) {
      const found = listening.get(other);
      connections[other] = await connectionTo(found, request.id);
      const key = doctorKey(request.id, other);
      sharesStore[other] = (await this.#useStore(grant, (store) => stored(store, key))) === request.id;
    }
    return { connections, sharesStore };
  }

  async #tell(request: DoctorRequest, what: Answer, answer: DoctorListening | DoctorReport): Promise<void> {
    const key = redisKeys.doctorAnswers(request.id);
    const { redis, workerId } = this.#options;
    await redis.multi().hset(key, `${what}:${workerId}`, JSON.stringify(answer)).pexpire(key, doctorMs).exec();
  }

  /** What the workers have said, as soon as all have; of those who say nothing, nothing. */
  async #answers({ id, workers }: DoctorRequest, what: Answer): Promise<Map<string, string>> {
    const deadline = performance.now() + othersMs;
    for (;;) {
      const said = await this.#options.redis.hmget(
        redisKeys.doctorAnswers(id),
        ...workers.map((worker) => `${what}:${worker}`),
      );
      const found = new Map(workers.flatMap((worker, i) => (said[i] ? [[worker, said[i]] as const] : [])));
      if (found.size === workers.length || performance.now() > deadline) return found;
      await delay(lookMs);
    }
  }
}

/** What a worker says. */
type Answer = "listening" | "report";

async function stored(store: BlobStore, key: string): Promise<string | null> {
  return (await store.stat(key)) && text(await store.get(key));
}

function listeningAt(server: Server | Error | null): DoctorListening {
  if (server === null) return { ok: false, why: "has no HOPWISE_RANK_ADDRESS" };
  if (server instanceof Error) return { ok: false, why: server.message };
  const { address, port } = server.address() as { address: string; port: number };
  return { ok: true, address, port };
}

async function connectionTo(said: string | undefined, id: string): Promise<DoctorConnection> {
  if (said === undefined) return { ok: false, why: `said nothing for ${othersMs / 1000} s` };
  const listening = doctorListening.parse(JSON.parse(said));
  return listening.ok ? probePeer(listening.address, listening.port, id) : listening;
}
