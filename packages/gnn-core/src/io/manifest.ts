import { z } from "zod";

/** One blob of an artifact. `name` is its path inside the artifact, with forward slashes. */
export const blobRef = z.object({
  name: z.string().regex(/^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/),
  bytes: z.number().int().nonnegative(),
  sha256: z.string().length(64),
  dtype: z.string().optional(),
  shape: z.array(z.number().int().nonnegative()).optional(),
});
export type BlobRef = z.infer<typeof blobRef>;

/**
 * Describes one artifact; written last, so an artifact without it does not exist.
 * `digest` = sha256 over kind, blob names and hashes and `info`: equal content, equal digest, whenever it was made.
 */
export const manifest = z.object({
  version: z.literal(1),
  kind: z.string(),
  step: z.string(),
  stepVersion: z.number().int(),
  engine: z.string(),
  inputs: z.record(z.string(), z.string()),
  options: z.unknown(),
  /** Facts about the content (counts, reports, class names); each kind has its own schema (`artifactInfos`). */
  info: z.record(z.string(), z.unknown()),
  blobs: z.array(blobRef),
  byteOrder: z.literal("little"),
  digest: z.string().length(64),
});
export type Manifest = z.infer<typeof manifest>;

/** What a step returns: the files it wrote (with dtype and shape where they are arrays) and its facts. */
export interface ManifestDraft<Info extends object = Record<string, unknown>> {
  readonly info: Info;
  readonly blobs: readonly { name: string; dtype?: string; shape?: number[] }[];
}

/**
 * An artifact on local disk: the blobs of the manifest, or those that its step `reads`, lie under `dir` and have been
 * verified.
 */
export interface ArtifactDir {
  readonly dir: string;
  readonly manifest: Manifest;
}
