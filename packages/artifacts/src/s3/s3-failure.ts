import { ArtifactError } from "../artifact-error.ts";
import type { S3Location } from "./s3-location.ts";

/** S3's names for an object that is not there; HEAD has no body to say more. */
const missing = new Set(["NoSuchKey", "NotFound"]);
/** Another put was first, or is at it at this moment. */
const taken = new Set(["PreconditionFailed", "ConditionalRequestConflict"]);
const full = new Set(["QuotaExceeded", "InsufficientStorage", "XMinioStorageFull", "XMinioStorageQuotaExceeded"]);

export function isMissing(error: unknown): boolean {
  return error instanceof Error && missing.has(error.name);
}

/** What S3 or the network said of a call, in the words of this package. */
export function s3Failure(error: unknown, key: string, { bucket, endpoint }: S3Location): ArtifactError {
  if (error instanceof ArtifactError) return error;
  const { name, message } = error as Error;
  const cause = { cause: error };
  const place = `bucket ${bucket} at ${endpoint ?? "Amazon S3"}`;
  if (missing.has(name))
    return new ArtifactError("ARTIFACT_MISSING", `There is no blob ${key} in the ${place}.`, cause);
  if (taken.has(name)) return alreadyThere(key);
  if (name === "InvalidRange") {
    return new ArtifactError("ARTIFACT_RANGE_INVALID", `${key} ends before the bytes that were asked for.`, cause);
  }
  if (full.has(name))
    return new ArtifactError("STORAGE_FULL", `There is no room left in the ${place}: ${message}`, cause);
  if (name === "NoSuchBucket") {
    return new ArtifactError("ARTIFACT_REFUSED", `There is no ${place}; make it, or correct ARTIFACTS_URL.`, cause);
  }
  const { httpStatusCode } = (error as { $metadata?: { httpStatusCode?: number } }).$metadata ?? {};
  const isRefused = httpStatusCode === 401 || httpStatusCode === 403 || name === "CredentialsProviderError";
  if (!isRefused) return new ArtifactError("ARTIFACT_UNREACHABLE", `The ${place} does not answer: ${message}`, cause);
  const rights = "s3:GetObject, s3:PutObject, s3:DeleteObject, s3:ListBucket, s3:AbortMultipartUpload";
  return new ArtifactError(
    "ARTIFACT_REFUSED",
    `The ${place} refused ${key || "its list"} (${name}). Its key comes from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from the machine's role, and needs ${rights}.`,
    cause,
  );
}

export function alreadyThere(key: string): ArtifactError {
  return new ArtifactError("ARTIFACT_EXISTS", `${key} is already stored; blobs are written once, under fresh keys.`);
}
