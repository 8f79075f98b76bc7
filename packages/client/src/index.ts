export type { Patience } from "./body-chunks.ts";
export * from "./client.ts";
export type {
  AnswerOf,
  Contract,
  EventOf,
  EventOperation,
  FileOperation,
  InputOf,
  JsonOperation,
  Operation,
  RawOperation,
  UploadOperation,
} from "./contract.ts";
export * from "./dataset-drift.ts";
export * from "./finished-job.ts";
export * from "./finished-write-back.ts";
export { errorOfGraphql, type GraphqlAnswer, type GraphqlError, type TypedDocument } from "./graphql.ts";
export {
  type CallProblem,
  type ClientErrorCode,
  isProblem,
  type ProblemCode,
  ProblemError,
  unreachableError,
} from "./problem-error.ts";
export type { ResumableInput } from "./upload/send-resumably.ts";
export type { OnProgress, UploadFile } from "./upload/upload-file.ts";
export { type AdoptJob, type ModelToUpload, uploadModel } from "./upload/upload-model.ts";
