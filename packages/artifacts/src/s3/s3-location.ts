import { z } from "zod";
import { ArtifactError } from "../artifact-error.ts";
import { assertKey } from "../artifact-key.ts";

/** Where in S3, or in what speaks its protocol, a store lies. */
export interface S3Location {
  readonly bucket: string;
  /** Begins every key of the store: empty, or ends with `/` */
  readonly prefix: string;
  readonly region: string | undefined;
  /** Address of another vendor, MinIO or Ceph for example; left out: Amazon's, by region */
  readonly endpoint: string | undefined;
}

const form = "s3://bucket/prefix?region=eu-central-1, with &endpoint=https://host:9000 for another vendor";

const bucketName = z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/);
const parameters = z.strictObject({
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,60}$/)
    .optional(),
  endpoint: z
    .url({ protocol: /^https?$/ })
    .refine((address) => {
      const { username, password, search, hash } = new URL(address);
      return username + password + search + hash === "";
    })
    .optional(),
});

/**
 * Reads `s3://bucket/prefix?region=eu-central-1&endpoint=https://minio:9000`. Keys to the bucket are no part of it:
 * they come from the environment, as every program of AWS takes them.
 *
 * @throws ArtifactError ARTIFACT_URL_INVALID; the URL itself is not repeated, it may hold a secret
 */
export function s3Location(url: URL): S3Location {
  if (url.username !== "" || url.password !== "" || url.hash !== "") throw invalid("a user, a password or a fragment");
  const bucket = bucketName.safeParse(url.host);
  if (!bucket.success) throw invalid("no bucket's name behind s3://");
  const asked = parameters.safeParse(Object.fromEntries(url.searchParams));
  if (!asked.success) throw invalid("another parameter, or a value that it cannot have");
  const { region, endpoint } = asked.data;
  return { bucket: bucket.data, prefix: prefixOf(url.pathname), region, endpoint };
}

function prefixOf(path: string): string {
  const folder = path.replace(/^\//, "").replace(/\/$/, "");
  if (folder === "") return "";
  try {
    assertKey(folder);
  } catch {
    throw invalid("a prefix that is not letters, digits, . _ - between slashes");
  }
  return `${folder}/`;
}

function invalid(found: string): ArtifactError {
  return new ArtifactError("ARTIFACT_URL_INVALID", `A store in S3 is named as ${form}; found ${found}.`);
}
