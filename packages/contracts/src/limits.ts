/** Limits at the edge; the API's env may lower or raise those marked. */
export const limits = {
  /** Largest single uploaded file (env). */
  uploadBytes: 8 * 1024 ** 3,
  /** Largest blob that a worker stores over HTTP (env). */
  blobBytes: 256 * 1024 ** 3,
  filesPerDataset: 64,
  jsonBodyBytes: 1024 * 1024,
  graphqlDepth: 10,
  graphqlComplexity: 5000,
  /** Requests per minute and key (env). */
  requestsPerMinute: 1200,
  fileNameLength: 120,
  jobNameLength: 120,
  epochs: 100_000,
  ranks: 1024,
  pageSize: 200,
} as const;

/** A plain file name: no separators, no leading dot, no control characters. */
export const fileNamePattern = /^(?!\.)[^/\\\p{Cc}]{1,120}$/u;
