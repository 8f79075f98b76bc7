import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { type ArtifactStore, HttpArtifactStore, LocalArtifactStore } from "@hopwise/artifacts";
import Fastify, { type FastifyInstance } from "fastify";
import { Doorkeeper } from "../../../src/auth/doorkeeper.ts";
import type { PrismaClient } from "../../../src/generated/prisma/client.ts";
import { authPlugin } from "../../../src/plugins/auth.ts";
import { errorsPlugin } from "../../../src/plugins/errors.ts";
import { zodValidation } from "../../../src/plugins/zod-validation.ts";
import { storeRoutes } from "../../../src/routes/v1/store.ts";
import type { GrantClaims } from "../../../src/store/grant-claims.ts";
import { grantKey, signGrant } from "../../../src/store/grant-token.ts";
import { StoreGrants } from "../../../src/store/store-grants.ts";

const never = () => Promise.reject(new Error("No test of the store asks for it."));

export interface StoreServerOptions {
  readonly blobBytes?: number;
  /** Key and port of the server before, for one that starts again */
  readonly key?: Buffer;
  readonly port?: number;
  readonly minFreeBytes?: number;
}

/** The API's store routes on a folder, without its database: the test says which stages are at work. */
export class StoreServer {
  readonly key: Buffer;
  readonly store: ArtifactStore;
  /** `Range` of every request, in their order */
  readonly ranges: (string | undefined)[] = [];
  /** Whether the stage of every grant is at work. */
  isAtWork = true;
  readonly #server: FastifyInstance;

  private constructor(store: ArtifactStore, { blobBytes = 1e9, key }: StoreServerOptions) {
    this.store = store;
    this.key = key ?? grantKey(randomBytes(32).toString("hex"));
    const isAtWork = async () => this.isAtWork;
    const grants = new StoreGrants({ key: this.key, claimsOf: never, isAtWork, log: { warn: () => {} } });
    this.#server = Fastify();
    this.#server.addHook("onRequest", async ({ headers }) => void this.ranges.push(headers.range));
    this.#server.register(errorsPlugin);
    this.#server.register(zodValidation);
    // Keys and sessions, which it looks up there, open nothing here.
    const doorkeeper = new Doorkeeper({ prisma: {} as PrismaClient, requestsPerMinute: 100, failuresPerMinute: 100 });
    const publicUrl = "http://127.0.0.1";
    this.#server.register(authPlugin, { doorkeeper, publicUrl, requestsPerMinute: 100, grants });
    this.#server.register(storeRoutes, { store, grants, limits: { blobBytes } });
  }

  static async start(dir: string, options: StoreServerOptions = {}): Promise<StoreServer> {
    const server = new StoreServer(await LocalArtifactStore.open(dir, options), options);
    await server.#server.listen({ host: "127.0.0.1", port: options.port ?? 0 });
    return server;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  grant(change: Partial<GrantClaims>): string {
    return signGrant({ ...nothing, ...change }, this.key);
  }

  /** As its holder uses it. */
  open(change: Partial<GrantClaims>, url = this.url): HttpArtifactStore {
    return new HttpArtifactStore({ url, patienceMs: 20_000 }, { grant: this.grant(change) });
  }

  async stop(): Promise<void> {
    this.#server.server.closeAllConnections();
    await this.#server.close();
  }
}

/** A grant that allows nothing, for an hour. */
export const nothing: GrantClaims = {
  holder: { job: "job_1", attempt: 1, stage: 0, slice: 0 },
  expires: Math.ceil(Date.now() / 1000) + 3600,
  reads: [],
  writes: [],
};
