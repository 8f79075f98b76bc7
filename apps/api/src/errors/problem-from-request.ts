import { ArtifactError } from "@hopwise/artifacts";
import { AppError, type ErrorCode, limits, type Problem, problemFrom, problemOf } from "@hopwise/contracts";

const fastifyCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "REQUEST_TOO_LARGE",
  FST_REQ_FILE_TOO_LARGE: "REQUEST_TOO_LARGE",
  FST_FILES_LIMIT: "REQUEST_TOO_LARGE",
  FST_PARTS_LIMIT: "REQUEST_TOO_LARGE",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "REQUEST_FORMAT",
  FST_INVALID_MULTIPART_CONTENT_TYPE: "REQUEST_FORMAT",
  FST_ERR_NOT_FOUND: "REQUEST_NOT_FOUND",
};

const artifactCodes: Readonly<Partial<Record<ArtifactError["code"], ErrorCode>>> = {
  ARTIFACT_MISSING: "REQUEST_NOT_FOUND",
  ARTIFACT_RANGE_INVALID: "REQUEST_RANGE",
};

const tooManyFiles = `The request carries more than ${limits.filesPerDataset} files, the most a dataset takes. Join small ones, or leave out what is no table or matrix.`;

/** The problem behind whatever a request ran into: ours, Fastify's, the store's; anything else is INTERNAL. */
export function problemFromRequest(error: unknown): Problem {
  if (error instanceof ArtifactError) {
    const code = artifactCodes[error.code];
    return code ? problemOf(code, error.message) : problemFrom(error);
  }
  const known = problemFrom(error);
  if (known.code !== "INTERNAL" || error instanceof AppError || !(error instanceof Error)) return known;
  const code = "code" in error ? fastifyCodes[String(error.code)] : undefined;
  if (code)
    return problemOf(code, "code" in error && error.code === "FST_FILES_LIMIT" ? tooManyFiles : `${error.message}.`);
  const status = "statusCode" in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 500 ? problemOf("REQUEST_INVALID", error.message) : known;
}
