/** Limits at the edge; the API's env may lower or raise those marked. */
export const limits = {
  /** Largest single uploaded file (env). */
  uploadBytes: 8 * 1024 ** 3,
  /** Largest blob that a worker stores over HTTP (env). */
  blobBytes: 256 * 1024 ** 3,
  /** What uploads and results leave free of a disk (env). */
  minFreeBytes: 256 * 1024 ** 2,
  filesPerDataset: 64,
  /** Bytes of the description that comes with the weights of a model */
  modelCardBytes: 8 * 1024 ** 2,
  jsonBodyBytes: 1024 * 1024,
  /** YAML takes longer to parse than JSON; what is longer is sent as JSON. */
  yamlBodyBytes: 32 * 1024,
  /** Bytes of the one body that is read before its sender is known: a sign-in token */
  signInBodyBytes: 512,
  /** Levels of arrays and objects inside each other, and values, in a body of JSON or YAML. */
  bodyDepth: 32,
  bodyValues: 100_000,
  /** Tokens of a YAML body, with its spaces, line ends and backslashes. */
  yamlTokens: 5000,
  /** Bounds of a GraphQL document, checked before it is parsed */
  graphqlCharacters: 64 * 1024,
  graphqlLines: 2000,
  graphqlTokens: 1000,
  /** Selections inside each other. */
  graphqlDepth: 10,
  /** In fields that only read a value (apps/api/src/graphql/base/costs.ts). */
  graphqlCost: 200_000,
  /** Length of a GraphQL answer */
  answerCharacters: 32_000_000,
  /** How long a request may be at work before it is answered with an error (env). */
  requestSeconds: 30,
  /** Costly requests of one key that run at once, that wait for that, and that run in all. */
  slotsPerKey: 4,
  waitingPerKey: 100,
  slots: 16,
  /** Open at once: in all, from one address, with one key (env). */
  sockets: 2000,
  socketsPerAddress: 200,
  socketsPerKey: 50,
  /** Running subscriptions and event streams of one key (env), and operations on one socket. */
  streamsPerKey: 200,
  operationsPerSocket: 100,
  /** A socket says within this who asks. */
  socketInitSeconds: 3,
  /** How long a socket stays open on which nothing runs. */
  socketIdleSeconds: 300,
  /** What may wait for a slow reader. */
  socketBufferBytes: 64 * 1024 ** 2,
  /** Requests per minute and key (env). */
  requestsPerMinute: 1200,
  /** Unknown keys and sessions per minute and address, before they are looked up many at a time (env). */
  failuresPerMinute: 60,
  /** What a worker tells in one event, and what one reading takes in of all events: several of the longest */
  eventCharacters: 4 * 1024 ** 2,
  replyBytes: 64 * 1024 ** 2,
  /** Bytes of a worker's announcement, of the name in a lease, and of a request to check the workers */
  announcementBytes: 256 * 1024,
  leaseBytes: 1024,
  doctorRequestBytes: 256 * 1024,
  /** Bytes of each of the two halves of a worker's own log, and characters of a line of it */
  workerLogBytes: 256 * 1024,
  workerLogLine: 8192,
  fileNameLength: 120,
  jobNameLength: 120,
  jobTags: 32,
  /** Characters of what people write about a job. */
  jobNoteLength: 10_000,
  epochs: 100_000,
  /** Jobs that are submitted as one: settings times seeds */
  sweepJobs: 200,
  ranks: 1024,
  /** Nodes that one request finds near another, or asks predictions of; numbers of a vector; questions that wait */
  neighbors: 1000,
  predictedIds: 1000,
  vectorLength: 8192,
  servedAtOnce: 1000,
  /** New nodes of one question, all their edges, and what their rows are computed from: edges, numbers of features */
  newNodes: 100,
  newEdges: 10_000,
  neighborhoodEdges: 1_000_000,
  neighborhoodNumbers: 2 ** 26,
  /** Explanations: steps, edges and features that are told, edges of a neighbourhood, and how many are at work */
  explainSteps: 1000,
  explainedItems: 1000,
  explainedEdges: 10_000,
  explainedAtOnce: 2,
  /** Largest limits of a project: what it holds or has waiting at once, its hours of a month; dearest hour. */
  projectAtOnce: 1_000_000,
  projectHours: 1e9,
  hourPrice: 1e6,
  /** Notices that are kept of one project. */
  notices: 500,
  /** Webhooks in all; what is kept of each one's deliveries, those that wait included. */
  webhooks: 50,
  webhookDeliveries: 200,
  /** How often a delivery is tried, and how long each time. */
  webhookAttempts: 8,
  webhookSeconds: 10,
  /** E-mails to one subscription in an hour; further ones wait. */
  mailsPerHour: 30,
  /** Resumable uploads of one project that are not whole yet. */
  uploadsPerProject: 256,
  /** How long an upload waits for its next bytes, and is told of after its end; how long a request may send nothing. */
  uploadHours: 24,
  uploadIdleSeconds: 60,
  /** How long the request with the last bytes waits until they are a file; the upload itself tells of it then. */
  uploadFinishSeconds: 20,
  /** Imports of one project that wait or run, and those that one process of the API fetches at once. */
  importsPerProject: 20,
  importsAtOnce: 4,
  /** How long an import may take, and how long its source may send nothing. */
  importSeconds: 86_400,
  importIdleSeconds: 60,
  /** Redirects that are followed for one file, and tries in which no byte comes. */
  importRedirects: 5,
  importTries: 8,
  /** What has come of a file, fetched or sent, is kept in parts of this size: a kill loses less than one. */
  filePartBytes: 16 * 1024 ** 2,
  /** How long a query may take on a database that is imported from (env), its length, and rows of its answer. */
  importQuerySeconds: 3600,
  importQueryLength: 20_000,
  importedRows: 2_000_000_000,
  /** Tables of a database that queries are proposed for, files of them, and how long it may take to list them. */
  importTables: 300,
  importProposedFiles: 400,
  importTablesSeconds: 30,
  /** Schedules of imports in one project, minutes between two of their times, and failures in a row that pause one. */
  schedulesPerProject: 20,
  scheduleMinutes: 15,
  scheduleFailures: 3,
  /** Failures in a row of a source that may pass. */
  schedulePassingFailures: 12,
  /**
   * Write-backs of one project that wait or run, those that one process of the API is at, tries in which no row goes
   * out, and how long one waits for a lock on its table.
   */
  writeBacksPerProject: 20,
  writeBacksAtOnce: 2,
  writeBackTries: 8,
  writeBackLockSeconds: 60,
  /** Write-backs that are shown of a job, the newest first. */
  writeBacksShown: 50,
  /** Imports that are shown of a dataset, the newest first. */
  importsShown: 50,
  /** Credentials for sources in one project. */
  sourceCredentials: 100,
  pageSize: 200,
  /** Versions that are shown of each model in a list, the newest first */
  modelVersions: 25,
  /** Length of lists without pages: keys, projects, credentials */
  listLength: 1000,
  /** Workers in a list, each with its devices and what they do */
  workers: 500,
} as const;

/**
 * A plain file name, or one behind the folders it was in (`nodes/part-0.parquet`): no part is empty or has a leading
 * dot, and there are no control characters.
 */
export const fileNamePattern = /^(?=.{1,120}$)(?!\.)[^/\\\p{Cc}]+(?:\/(?!\.)[^/\\\p{Cc}]+)*$/u;
