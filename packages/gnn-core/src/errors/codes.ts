/**
 * Every code the engine raises: HTTP status for the service in front, title, and whether running the same
 * step again can help. Families: DATASET_ PARTITION_ JOB_ CHECKPOINT_ DEVICE_ RANK_ EXPORT_.
 */
export const gnnErrorCodes = {
  DATASET_FILE_MISSING: { status: 422, title: "A file named by the dataset spec is not there", retryable: false },
  DATASET_FILE_EMPTY: { status: 422, title: "The file is empty", retryable: false },
  DATASET_FORMAT_UNKNOWN: { status: 422, title: "The file's format is not recognised", retryable: false },
  DATASET_FORMAT_INVALID: { status: 422, title: "The file does not follow its format", retryable: false },
  DATASET_COLUMN_MISSING: { status: 422, title: "A mapped column is not in the file", retryable: false },
  DATASET_ROW_INVALID: { status: 422, title: "A row has the wrong number of columns", retryable: false },
  DATASET_VALUE_INVALID: { status: 422, title: "A value cannot be read as its column's type", retryable: false },
  DATASET_NODE_UNKNOWN: { status: 422, title: "An id is not among the nodes", retryable: false },
  DATASET_DUPLICATE: { status: 422, title: "A row appears more than once", retryable: false },
  DATASET_LIMIT_EXCEEDED: { status: 413, title: "The file goes beyond a limit of this installation", retryable: false },
  DATASET_TOO_LARGE: { status: 413, title: "The graph is larger than this version can hold", retryable: false },
  PARTITION_FAILED: { status: 500, title: "The partitioner failed", retryable: true },
  PARTITION_TOO_LARGE: { status: 422, title: "The graph exceeds the partitioner's limit", retryable: false },
  SHAPE_MISMATCH: { status: 500, title: "Array shapes do not fit together", retryable: false },
  SPEC_INVALID: { status: 422, title: "The spec is not valid", retryable: false },
  NODE_UNKNOWN: { status: 404, title: "The graph has no node of this id", retryable: false },
  NODE_EXISTS: { status: 409, title: "The graph has a node of this id already", retryable: false },
  NODE_TOO_COSTLY: { status: 413, title: "A node is computed from more than the limit", retryable: false },
  COMPONENT_UNKNOWN: { status: 422, title: "No component of this name is registered", retryable: false },
  COMPONENT_INVALID: { status: 500, title: "A component file could not be registered", retryable: false },
  MANIFEST_INVALID: { status: 500, title: "A manifest is damaged or of an unknown version", retryable: false },
  MODEL_INVALID: { status: 422, title: "The uploaded model cannot be used", retryable: false },
  CHECKPOINT_INVALID: { status: 500, title: "A checkpoint does not fit this job", retryable: false },
  TRAIN_NO_LABELS: { status: 422, title: "There is nothing to train on", retryable: false },
  TRAIN_DIVERGED: { status: 422, title: "Training produced a value that is not a number", retryable: false },
  DEVICE_NOT_AVAILABLE: {
    status: 422,
    title: "The device or backend is not available on this worker",
    retryable: false,
  },
  DEVICE_LOST: { status: 500, title: "The device stopped working", retryable: true },
  DEVICE_ISA_MISMATCH: {
    status: 422,
    title: "Ranks would compute with different instruction sets",
    retryable: false,
  },
  DEVICE_OUT_OF_MEMORY: { status: 422, title: "The device has too little memory for this job", retryable: false },
  DEVICE_PEER_REFUSED: {
    status: 422,
    title: "A device cannot read the memory of another one",
    retryable: false,
  },
  DEVICE_FAULT: { status: 500, title: "Work on the device failed", retryable: true },
  NATIVE_NOT_BUILT: { status: 500, title: "The native library is not built", retryable: false },
  DEPENDENCY_MISSING: { status: 500, title: "An optional package is not installed", retryable: false },
  RANK_LOST: { status: 500, title: "A rank stopped answering", retryable: true },
  RANK_TIMEOUT: { status: 500, title: "A collective operation timed out", retryable: true },
  RANK_STALLED: { status: 500, title: "A rank stood still", retryable: true },
  RANK_MISMATCH: { status: 500, title: "Ranks disagreed on the next collective operation", retryable: true },
  CANCELLED: { status: 409, title: "The work was cancelled", retryable: false },
  EXPORT_FAILED: { status: 500, title: "The export failed", retryable: true },
  EXPORT_NOT_FINITE: {
    status: 422,
    title: "A vector for export holds what is no finite number",
    retryable: false,
  },
} as const satisfies Record<string, { status: number; title: string; retryable: boolean }>;

export type GnnErrorCode = keyof typeof gnnErrorCodes;
