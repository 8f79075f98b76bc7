/** Limits at the edge; the API's env may lower or raise those marked. */
export const limits = {
  /** Largest single uploaded file (env). */
  uploadBytes: 8 * 1024 ** 3,
  /** Largest blob that a worker stores over HTTP (env). */
  blobBytes: 256 * 1024 ** 3,
  filesPerDataset: 64,
  jsonBodyBytes: 1024 * 1024,
  /** YAML takes longer to parse than JSON; what is longer is sent as JSON. */
  yamlBodyBytes: 32 * 1024,
  /** Of the one body that is read before its sender is known: a sign-in token. */
  signInBodyBytes: 512,
  /** Levels of arrays and objects inside each other, and values, in a body of JSON or YAML. */
  bodyDepth: 32,
  bodyValues: 100_000,
  /** Tokens of a YAML body, with its spaces, line ends and backslashes. */
  yamlTokens: 5000,
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
