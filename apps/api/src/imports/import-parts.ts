import type { ArtifactStore } from "@hopwise/artifacts";
import type { Env } from "../env.ts";
import type { PrismaClient } from "../generated/prisma/client.ts";
import type { Logger } from "../logger.ts";
import { AddressGuard } from "../requests/address-guard.ts";
import { type Importer, openImporter, type RunImport } from "./importer.ts";
import { openSealer, type Sealer } from "./sealer.ts";

/** What requests about imports work with. */
export interface ImportParts {
  readonly importer: Importer;
  /** Where files may be fetched from. */
  readonly guard: AddressGuard;
  /** Below which published data sets lie by host and path; null: they are fetched from their own addresses. */
  readonly mirror: string | null;
  /** How long a database may be at work on one query. */
  readonly querySeconds: number;
  /** Between two times of a schedule, at least. */
  readonly scheduleMinutes: number;
  /** Encrypts credentials and whole addresses. */
  readonly sealer: Sealer;
}

export interface ImportPartsOptions {
  readonly prisma: PrismaClient;
  readonly store: ArtifactStore;
  readonly env: Env;
  readonly log: Logger;
  readonly isSoleClient: boolean;
  readonly run: RunImport;
}

export async function openImports({ env, run, ...rest }: ImportPartsOptions): Promise<ImportParts> {
  const guard = new AddressGuard(env.imports.networks, "HOPWISE_IMPORT_NETWORKS");
  const sealer = await openSealer(env.data.secretsDir, env.imports.credentialsKey);
  const { mirror, querySeconds, scheduleMinutes } = env.imports;
  return { guard, sealer, mirror, querySeconds, scheduleMinutes, importer: openImporter(rest, run) };
}
