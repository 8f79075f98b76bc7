import { join } from "node:path";
import type { ArtifactCache, GrantedStores } from "@hopwise/artifacts";
import type { Registry } from "@hopwise/gnn-core/spec";
import type { Redis } from "ioredis";
import type { RankBinder } from "../binding/rank-binder.ts";
import type { DeviceRoster } from "../devices/device-roster.ts";
import type { Env } from "../env.ts";
import type { Outbox } from "../events/outbox.ts";
import type { Logger } from "../log.ts";
import type { RankPool } from "../ranks/rank-pool.ts";
import type { RedisAccess } from "../redis-access.ts";
import type { DesiredStates } from "./desired-state.ts";

/** What every stage of this worker shares. */
export interface StageServices {
  readonly env: Env;
  readonly workerId: string;
  readonly bootId: string;
  readonly registry: Registry;
  readonly devices: DeviceRoster;
  /** Says at once what this worker has and runs. */
  readonly announce: () => Promise<void>;
  readonly redis: Redis;
  readonly access: RedisAccess;
  readonly outbox: Outbox;
  readonly desired: DesiredStates;
  readonly stores: GrantedStores;
  readonly cache: ArtifactCache;
  readonly rankPool: RankPool;
  readonly rankBinder: RankBinder;
  /** What each process of a step may allocate; null: what there is */
  readonly stepMemoryBytes: number | null;
  readonly log: Logger;
}

/** Where stages keep their files while they run. */
export function stagesDir(workerDir: string): string {
  return join(workerDir, "stages");
}
