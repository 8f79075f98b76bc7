import { gnnErrorCodes } from "@hopwise/gnn-core/spec";

export interface ErrorCodeInfo {
  readonly status: number;
  readonly title: string;
  readonly retryable: boolean;
}

const serviceErrorCodes = {
  REQUEST_INVALID: { status: 400, title: "The request is not valid", retryable: false },
  REQUEST_TOO_LARGE: { status: 413, title: "The request is larger than the limit", retryable: false },
  REQUEST_TOO_COSTLY: { status: 400, title: "The request asks for more than the limit", retryable: false },
  REQUEST_DEADLINE: { status: 503, title: "The request took longer than the limit", retryable: true },
  REQUEST_RATE_LIMITED: { status: 429, title: "Too many requests", retryable: true },
  REQUEST_NOT_FOUND: { status: 404, title: "There is nothing at this address", retryable: false },
  REQUEST_CONFLICT: { status: 409, title: "The request does not fit the present state", retryable: false },
  REQUEST_RANGE: { status: 416, title: "The range cannot be served", retryable: false },
  REQUEST_FORMAT: { status: 415, title: "This content type is not understood here", retryable: false },
  AUTH_REQUIRED: { status: 401, title: "A key or a session is needed", retryable: false },
  AUTH_INVALID: { status: 401, title: "The key or link is not valid", retryable: false },
  AUTH_FORBIDDEN: { status: 403, title: "The role does not allow this", retryable: false },
  AUTH_ORIGIN: { status: 403, title: "The session's cookie came from another page", retryable: false },
  GRANT_INVALID: { status: 401, title: "The grant for the artifact store is not valid", retryable: false },
  GRANT_FORBIDDEN: { status: 403, title: "The grant does not allow this", retryable: false },
  JOB_SPEC_INVALID: { status: 422, title: "The job spec is not valid", retryable: false },
  JOB_TOO_LARGE: { status: 422, title: "The job cannot fit on any worker", retryable: false },
  JOB_DEVICE_UNAVAILABLE: {
    status: 422,
    title: "No worker has the device that the job asks for",
    retryable: false,
  },
  PROJECT_LIMIT: { status: 422, title: "The job asks for more than its project may hold", retryable: false },
  PROJECT_QUEUE_FULL: { status: 409, title: "As many jobs of the project wait as may", retryable: true },
  PROJECT_HOURS_USED: { status: 409, title: "The project has used its hours of this month", retryable: true },
  JOB_FINISHED: { status: 409, title: "The job has already ended", retryable: false },
  JOB_WITHOUT_RESULTS: { status: 409, title: "The job has nothing to export", retryable: false },
  EXPORT_NOT_MADE: { status: 404, title: "The file has not been made yet", retryable: true },
  JOB_ATTEMPTS_EXHAUSTED: { status: 500, title: "The job failed in every attempt", retryable: false },
  JOB_TIME_LIMIT: { status: 422, title: "The job ran longer than its maxDuration", retryable: false },
  STEP_MEMORY_LIMIT: { status: 422, title: "The step needs more memory than it may have", retryable: false },
  DEVICE_BUSY: { status: 500, title: "Another process holds the device", retryable: true },
  DATASET_NOT_READY: { status: 409, title: "The dataset is not ready", retryable: true },
  DATASET_FILE_NAME: { status: 422, title: "The file name cannot be used", retryable: false },
  UPLOAD_CHECKSUM: { status: 460, title: "What arrived is not what was sent", retryable: true },
  UPLOAD_VERSION: { status: 412, title: "This version of tus is not spoken here", retryable: false },
  IMPORT_ADDRESS: { status: 422, title: "The service may not fetch from this address", retryable: false },
  IMPORT_NOT_FOUND: { status: 422, title: "The source has no such file", retryable: false },
  IMPORT_REFUSED: { status: 422, title: "The source does not let the service in", retryable: false },
  IMPORT_SOURCE: { status: 502, title: "The source does not give the file", retryable: true },
  IMPORT_QUERY: { status: 422, title: "The database does not run the query", retryable: false },
  IMPORT_CHECKSUM: { status: 422, title: "The file is not the one that was expected", retryable: false },
  IMPORT_TIME_LIMIT: { status: 422, title: "The import took longer than the limit", retryable: true },
  WRITE_BACK_ADDRESS: { status: 422, title: "The service may not write to this address", retryable: false },
  WRITE_BACK_REFUSED: { status: 422, title: "The database does not let the service in", retryable: false },
  WRITE_BACK_DATABASE: { status: 502, title: "The database does not take the rows", retryable: true },
  WRITE_BACK_TABLE: { status: 422, title: "The table is not one that the rows fit into", retryable: false },
  WRITE_BACK_TIME_LIMIT: { status: 422, title: "The write-back took longer than the limit", retryable: true },
  CREDENTIAL_UNREADABLE: { status: 409, title: "A stored credential cannot be read", retryable: false },
  MAIL_NOT_CONFIGURED: { status: 409, title: "This service sends no e-mail", retryable: false },
  WORKER_LOST: { status: 500, title: "The worker stopped answering", retryable: true },
  WORKER_INCOMPATIBLE: { status: 409, title: "The worker speaks another contract version", retryable: false },
  REDIS_REFUSED: { status: 500, title: "Redis does not let this service do that", retryable: false },
  UPSTREAM_UNAVAILABLE: { status: 503, title: "A service this one needs is not answering", retryable: true },
  ARTIFACT_EXISTS: { status: 500, title: "A stored blob would have been overwritten", retryable: true },
  ARTIFACT_MISSING: { status: 500, title: "A stored file is missing", retryable: true },
  ARTIFACT_DAMAGED: { status: 500, title: "A stored file is not what its manifest says", retryable: true },
  ARTIFACT_KEY_INVALID: { status: 500, title: "A name cannot be used in the artifact store", retryable: false },
  ARTIFACT_RANGE_INVALID: { status: 416, title: "The range lies outside the file", retryable: false },
  ARTIFACT_REFUSED: { status: 403, title: "The artifact store does not let this worker do that", retryable: true },
  ARTIFACT_UNREACHABLE: { status: 503, title: "The artifact store does not answer", retryable: true },
  ARTIFACT_URL_INVALID: { status: 500, title: "The artifact store's URL is not understood", retryable: false },
  STORAGE_FULL: { status: 507, title: "A disk of the service is full", retryable: true },
  INTERNAL: { status: 500, title: "Something went wrong on our side", retryable: true },
} as const satisfies Record<string, ErrorCodeInfo>;

/** The one table: code → status, title, retryable, for REST, GraphQL and the queue. */
export const errorCodes = { ...gnnErrorCodes, ...serviceErrorCodes };
export type ErrorCode = keyof typeof errorCodes;
