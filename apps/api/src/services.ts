import type { ArtifactStore } from "@hopwise/artifacts";
import type { Registry } from "@hopwise/gnn-core/spec";
import type { FastifyBaseLogger } from "fastify";
import type { Integrity } from "./artifacts/integrity.ts";
import type { AccessWatch } from "./auth/access-watch.ts";
import type { Doorkeeper } from "./auth/doorkeeper.ts";
import type { ChangeWatch } from "./events/change-watch.ts";
import type { JobEventSource } from "./events/job-event-source.ts";
import type { PrismaClient } from "./generated/prisma/client.ts";
import type { ImportParts } from "./imports/import-parts.ts";
import type { WebhookParts } from "./notices/webhook-parts.ts";
import type { FairSlots } from "./requests/fair-slots.ts";
import type { Quota } from "./requests/quota.ts";
import type { Serving } from "./serving/serving.ts";
import type { StoreGrants } from "./store/store-grants.ts";
import type { UploadParts } from "./uploads/upload-parts.ts";
import type { WorkerLogs } from "./workers/worker-logs.ts";
import type { WorkerUsers } from "./workers/worker-users.ts";
import type { Writer } from "./write-backs/writer.ts";

/** What requests work with; made once by `buildApp`. */
export interface Services {
  readonly prisma: PrismaClient;
  readonly store: ArtifactStore;
  /** Whether what is stored is what it should be. */
  readonly integrity: Integrity;
  readonly registry: Registry;
  /** What workers without a shared folder use the store with. */
  readonly grants: StoreGrants;
  /** Users of Redis for workers; null without Redis. */
  readonly workerUsers: WorkerUsers | null;
  /** The workers' own logs; null without Redis. */
  readonly workerLogs: WorkerLogs | null;
  /** Answers single questions about the rows of jobs. */
  readonly serving: Serving;
  /** Sends to webhooks. */
  readonly webhooks: WebhookParts;
  /** Fetches files from elsewhere. */
  readonly imports: ImportParts;
  /** Writes results into others' databases. */
  readonly writer: Writer;
  /** Takes files that are sent in several requests. */
  readonly uploads: UploadParts;
  readonly jobEvents: JobEventSource;
  /** Tells pages which of their lists have changed. */
  readonly changes: ChangeWatch;
  /** Called after a commit: wakes the scheduler and the followers of this job. */
  readonly jobChanged: (jobId: string) => void;
  /** Lets in who has a good key or session. */
  readonly doorkeeper: Doorkeeper;
  /** Ends what a key or session holds open when it is good no more. */
  readonly access: AccessWatch;
  /** For requests that cost more than reading a row. */
  readonly slots: FairSlots;
  /** Subscriptions and event streams of one key. */
  readonly streams: Quota;
  readonly log: FastifyBaseLogger;
  readonly limits: ServiceLimits;
}

/** Limits that the environment may set. */
export interface ServiceLimits {
  readonly uploadBytes: number;
  readonly blobBytes: number;
  readonly requestsPerMinute: number;
  readonly failuresPerMinute: number;
  readonly requestSeconds: number;
  readonly sockets: number;
  readonly socketsPerAddress: number;
  readonly socketsPerKey: number;
  readonly streamsPerKey: number;
}
