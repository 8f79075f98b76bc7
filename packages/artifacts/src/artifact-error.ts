export type ArtifactErrorCode =
  | "ARTIFACT_EXISTS"
  | "ARTIFACT_MISSING"
  | "ARTIFACT_DAMAGED"
  | "ARTIFACT_KEY_INVALID"
  | "ARTIFACT_RANGE_INVALID"
  | "ARTIFACT_URL_INVALID"
  /** The store does not let this grant do that. */
  | "ARTIFACT_REFUSED"
  /** The store has not answered for long. */
  | "ARTIFACT_UNREACHABLE"
  /** There is no room for it. */
  | "STORAGE_FULL";

/** The only error type of this package; what the file system or network said is its `cause`. */
export class ArtifactError extends Error {
  override readonly name = "ArtifactError";
  readonly code: ArtifactErrorCode;

  constructor(code: ArtifactErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}
