import { createHash } from "node:crypto";
import { open, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { GnnError } from "../errors/gnn-error.ts";
import { jsonExcess } from "./json-excess.ts";
import { type ArtifactDir, type BlobRef, type Manifest, type ManifestDraft, manifest } from "./manifest.ts";

export const manifestFileName = "manifest.json";
/** A preview shows every cell of its sample; nothing of ours nests deep, and hashing recurses. */
const bounds = { depth: 64, values: 50_000_000 };

/** What the runner of a step knows about it, beside what the step itself said. */
export interface ManifestContext {
  readonly kind: string;
  readonly step: string;
  readonly stepVersion: number;
  /** Version of the engine that ran it. */
  readonly engine: string;
  /** Digest of each input artifact by kind. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly options: unknown;
}

/**
 * Hashes the files a step wrote into `dir` and makes their manifest.
 *
 * @throws GnnError MANIFEST_INVALID when a named file is missing or a name could leave the folder
 */
export async function buildManifest(dir: string, draft: ManifestDraft, context: ManifestContext): Promise<Manifest> {
  const blobs: BlobRef[] = [];
  for (const blob of draft.blobs.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    blobs.push({ ...blob, ...(await hashBlob(dir, blob.name)) });
  }
  const digest = manifestDigest(context.kind, blobs, draft.info);
  const made = { version: 1, ...context, info: draft.info, blobs, byteOrder: "little", digest };
  return parse(made, dir);
}

/**
 * sha256 over the kind, the blobs (name, sha256, dtype, shape, in name order) and `info` with its keys sorted:
 * equal content gives an equal digest, whoever made it and when.
 */
export function manifestDigest(kind: string, blobs: readonly BlobRef[], info: Record<string, unknown>): string {
  const named = blobs
    .map(({ name, sha256, dtype = null, shape = null }) => [name, sha256, dtype, shape] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(canonicalJson([kind, named, info]))
    .digest("hex");
}

/** Writes `manifest.json`, last of all files of the folder. */
export async function writeManifestFile(dir: string, made: Manifest): Promise<void> {
  await writeFile(join(dir, manifestFileName), JSON.stringify(made));
}

/**
 * Reads the manifest of an artifact folder without looking at its blobs.
 *
 * @throws GnnError MANIFEST_INVALID when it is missing, damaged, of an unknown version, or its digest is not its own
 */
export async function readManifestFile(dir: string): Promise<ArtifactDir> {
  const path = join(dir, manifestFileName);
  let json: unknown;
  try {
    const text = await readFile(path, "utf8");
    const excess = jsonExcess(text, bounds);
    if (excess) throw new Error(excess);
    json = JSON.parse(text);
  } catch (cause) {
    throw new GnnError(
      "MANIFEST_INVALID",
      `${path} is missing, or no JSON of a manifest; the artifact is not complete.`,
      { cause },
    );
  }
  const found = parse(json, path);
  const digest = manifestDigest(found.kind, found.blobs, found.info);
  if (digest === found.digest) return { dir, manifest: found };
  throw new GnnError("MANIFEST_INVALID", `${path} says digest ${found.digest}; its content has ${digest}.`);
}

/**
 * Reads an artifact folder and checks the size and hash of every blob.
 *
 * @throws GnnError MANIFEST_INVALID naming the first blob that differs
 */
export async function verifyArtifact(dir: string): Promise<ArtifactDir> {
  const artifact = await readManifestFile(dir);
  for (const blob of artifact.manifest.blobs) {
    const found = await hashBlob(dir, blob.name);
    if (found.bytes === blob.bytes && found.sha256 === blob.sha256) continue;
    throw new GnnError(
      "MANIFEST_INVALID",
      `${blob.name} has ${found.bytes} bytes hashing to ${found.sha256}; its manifest says ${blob.bytes} and ${blob.sha256}.`,
    );
  }
  return artifact;
}

function parse(json: unknown, place: string): Manifest {
  const parsed = manifest.safeParse(json);
  const hostile = parsed.data?.blobs.find(({ name }) => name.split("/").some((part) => /^\.+$/.test(part)));
  if (parsed.success && !hostile) return parsed.data;
  const issue = hostile ? `blob name ${hostile.name}` : (parsed.error?.issues[0]?.message ?? "");
  const version = (json as { version?: unknown } | null)?.version;
  throw new GnnError(
    "MANIFEST_INVALID",
    `${place} is not a manifest this version reads (version ${String(version)}, expected 1): ${issue}`,
  );
}

async function hashBlob(dir: string, name: string): Promise<{ bytes: number; sha256: string }> {
  const path = join(dir, name);
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) throw new GnnError("MANIFEST_INVALID", `${name} is named by a manifest and not in ${dir}.`);
  const hash = createHash("sha256");
  // One buffer, no larger than the file: V8 answers each 64 MiB of buffers with a full collection.
  const buffer = Buffer.allocUnsafe(Math.min(found.size + 1, 1 << 20));
  const file = await open(path);
  try {
    for (let read = await file.read(buffer); read.bytesRead > 0; read = await file.read(buffer)) {
      hash.update(buffer.subarray(0, read.bytesRead));
    }
  } finally {
    await file.close();
  }
  return { bytes: found.size, sha256: hash.digest("hex") };
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
