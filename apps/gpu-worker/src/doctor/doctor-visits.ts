import type { Server } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { ArtifactStore } from "@hopwise/artifacts";
import {
  type DoctorConnection,
  type DoctorListening,
  type DoctorReport,
  type DoctorRequest,
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
  readonly store: ArtifactStore;
  readonly network: Env["network"];
  readonly workerId: string;
  readonly log: Logger;
}

/** How long the others may take to listen, and to end their probes. */
const [othersMs, lookMs] = [8000, 50];

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
    const { redis, network, workerId, store } = this.#options;
    const stored = await redis.get(redisKeys.doctor);
    const request = doctorRequest.parse(JSON.parse(stored ?? "null"));
    if (request.id === this.#current || !request.workers.includes(workerId)) return;
    this.#current = request.id;
    const ownKey = storeKey(request, workerId);
    const server = network && (await listenForPeers(network, request.id).catch((error: Error) => error));
    try {
      await store.put(ownKey, Buffer.from(request.id));
      await this.#tell(request, "listening", listeningAt(server));
      await this.#tell(request, "report", await this.#examine(request));
      await this.#answers(request, "report");
    } finally {
      if (server && !(server instanceof Error)) server.close();
      await store.delete(ownKey);
    }
  }

  async #examine(request: DoctorRequest): Promise<DoctorReport> {
    const { workerId } = this.#options;
    const listening = await this.#answers(request, "listening");
    const connections: Record<string, DoctorConnection> = {};
    const sharesStore: Record<string, boolean> = {};
    // Each begins with another one, so that they do not all wait for the same.
    const own = request.workers.indexOf(workerId);
    for (const other of [...request.workers.slice(own + 1), ...request.workers.slice(0, own)]) {
      const found = listening.get(other);
      connections[other] = await connectionTo(found, request.id);
      sharesStore[other] = await this.#reads(storeKey(request, other), request.id);
    }
    return { connections, sharesStore };
  }

  async #reads(key: string, expected: string): Promise<boolean> {
    const { store } = this.#options;
    return (await store.stat(key)) !== null && (await text(await store.get(key))) === expected;
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

type Answer = "listening" | "report";

const storeKey = ({ id }: DoctorRequest, workerId: string): string => `doctor/${id}.${workerId}`;

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
