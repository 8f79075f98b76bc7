import { text } from "node:stream/consumers";
import {
  ArtifactError,
  type ArtifactStore,
  manifestName,
  parseManifest,
  VerifiedBlobs,
  type VerifyOptions,
} from "@hopwise/artifacts";
import { AppError, type BlobAnswer } from "@hopwise/contracts";
import { manifestDigest } from "@hopwise/gnn-core/spec";
import type { FastifyBaseLogger } from "fastify";
import { blobsOf } from "../database/stored-json.ts";
import type { Artifact, PrismaClient } from "../generated/prisma/client.ts";
import { type DamagedBlob, noteCheck } from "./artifact-checks.ts";

export interface IntegrityOptions {
  readonly prisma: PrismaClient;
  readonly store: ArtifactStore;
  readonly log: Pick<FastifyBaseLogger, "error">;
}

type Checked = Pick<Artifact, "id" | "kind" | "prefix" | "digest" | "blobs">;

/** Holds stored artifacts against their digests, and notes those that do not match, so that they are not used again. */
export class Integrity {
  readonly #options: IntegrityOptions;
  readonly #verified: VerifiedBlobs;

  constructor(options: IntegrityOptions) {
    this.#options = options;
    this.#verified = new VerifiedBlobs(options.store);
  }

  /**
   * Reads a blob to its end before a byte of it is given away, unless it was read since somebody wrote to it.
   *
   * @throws AppError ARTIFACT_DAMAGED with the file and what to do
   */
  async requireBlob(artifact: Checked, blob: BlobAnswer): Promise<void> {
    const damage = await this.#damageOf(artifact, blob);
    if (!damage) return;
    await this.#note(artifact, [damage]);
    throw damaged(artifact, damage);
  }

  /**
   * The artifact's manifest as it is stored.
   *
   * @throws AppError ARTIFACT_DAMAGED when it is not the one that the artifact was recorded with
   */
  async requireManifest(artifact: Checked): Promise<string> {
    const body = await this.#manifestOf(artifact);
    if (typeof body === "string") return body;
    await this.#note(artifact, [body]);
    throw damaged(artifact, body);
  }

  /** Reads all of an artifact and notes what is damaged. @returns that */
  async check(artifact: Checked, options: VerifyOptions = {}): Promise<readonly DamagedBlob[]> {
    const damage = await this.find(artifact, options);
    await this.#note(artifact, damage);
    return damage;
  }

  /** Checks as above and notes nothing. */
  async find(artifact: Checked, options: VerifyOptions = {}): Promise<readonly DamagedBlob[]> {
    const found: DamagedBlob[] = [];
    const body = await this.#manifestOf(artifact);
    if (typeof body !== "string") found.push(body);
    for (const blob of blobsOf(artifact)) {
      const damage = await this.#damageOf(artifact, blob, options);
      if (damage) found.push(damage);
    }
    return found;
  }

  async #damageOf({ prefix }: Checked, blob: BlobAnswer, options?: VerifyOptions): Promise<DamagedBlob | null> {
    const noted = (error: unknown) => asDamage(blob.name, error);
    return this.#verified.verify(`${prefix}/${blob.name}`, blob, options).then(() => null, noted);
  }

  async #manifestOf({ kind, prefix, digest, blobs }: Checked): Promise<string | DamagedBlob> {
    try {
      const body = await text(await this.#options.store.get(`${prefix}/${manifestName}`));
      const manifest = parseManifest(body, prefix);
      const info = (manifest as { info?: Record<string, unknown> }).info ?? {};
      const found = manifestDigest(manifest.kind, manifest.blobs, info);
      // What is recorded of the blobs is what they were verified by.
      const isOwn = manifest.kind === kind && manifest.digest === digest && found === digest;
      if (isOwn && manifestDigest(kind, blobsOf({ blobs }), info) === digest) return body;
      return { blob: manifestName, found: `a manifest with the digest ${found}; expected ${digest}` };
    } catch (error) {
      return asDamage(manifestName, error);
    }
  }

  async #note(artifact: Checked, damage: readonly DamagedBlob[]): Promise<void> {
    const { prisma, log } = this.#options;
    for (const { blob, found } of damage) log.error({ artifact: artifact.id, blob, found }, "a stored file is damaged");
    await noteCheck(prisma, artifact.id, damage, new Date());
  }
}

/** The error of a blob that is damaged, for whoever asked for it. */
export function damaged({ id, kind }: Pick<Artifact, "id" | "kind">, { blob, found }: DamagedBlob): AppError {
  return new AppError(
    "ARTIFACT_DAMAGED",
    `The file ${blob} of the artifact ${id} (${kind}) is not what was stored: ${found}. ${remedyOf(kind)}`,
    { place: { file: blob } },
  );
}

const made = "It is not used again. Submit the job again: this is made anew, and what is intact is used as it is.";
const remedies: Readonly<Record<string, string>> = {
  files: "An uploaded file cannot be made again; upload it to a new version of the dataset, or restore a backup.",
  graph: "It is made again from the uploaded files when a job needs it.",
  exports: "POST to the address of the file has it made again.",
  checkpoint: "The job goes on from an earlier one, or from its start.",
};

/** What helps against damage, for people. */
export function remedyOf(kind: string): string {
  return remedies[kind] ?? made;
}

/** @throws what says nothing about the blob */
function asDamage(blob: string, error: unknown): DamagedBlob {
  if (!(error instanceof ArtifactError)) throw error;
  if (error.code === "ARTIFACT_MISSING") return { blob, found: "nothing" };
  if (error.code === "ARTIFACT_DAMAGED") return { blob, found: error.message.replace(/; expected.*$/s, "") };
  throw error;
}
