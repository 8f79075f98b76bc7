import type { CatalogAnswer, JobAnswer, JobDetails, JobEvent, UploadAnswer } from "@hopwise/contracts";
import { expectTypeOf, test } from "vitest";
import type {
  AnswerOf,
  EventOf,
  EventOperation,
  FileOperation,
  InputOf,
  JsonOperation,
  Operation,
  RawOperation,
  UploadOperation,
} from "../src/index.ts";

/** Checked by the compiler (`script/test lint`): a wrong type fails there, by the line. */

test("every route of the contract can be called by one of the client's methods", () => {
  expectTypeOf<JsonOperation | RawOperation | EventOperation | UploadOperation>().toEqualTypeOf<Operation>();
  expectTypeOf<UploadOperation>().toEqualTypeOf<"POST /v1/datasets/:id/files">();
  expectTypeOf<EventOperation>().toEqualTypeOf<"GET /v1/jobs/:id/events">();
  expectTypeOf<FileOperation>().toEqualTypeOf<
    "GET /v1/artifacts/:id" | "GET /v1/jobs/:id/embeddings" | "GET /v1/jobs/:id/predictions"
  >();
});

test("answers and events have the types of the contract's schemas", () => {
  expectTypeOf<AnswerOf<"GET /v1/jobs/:id">>().toEqualTypeOf<JobDetails>();
  expectTypeOf<AnswerOf<"POST /v1/jobs">>().toEqualTypeOf<JobAnswer>();
  expectTypeOf<AnswerOf<"POST /v1/datasets/:id/files">>().toEqualTypeOf<UploadAnswer>();
  expectTypeOf<AnswerOf<"DELETE /v1/jobs/:id">>().toEqualTypeOf<undefined>();
  // Its 304 is never asked for.
  expectTypeOf<AnswerOf<"GET /v1/catalog">>().toEqualTypeOf<CatalogAnswer>();
  expectTypeOf<EventOf<"GET /v1/jobs/:id/events">>().toEqualTypeOf<JobEvent>();
});

test("what is sent has the types of the contract's schemas, and defaults may be left out", () => {
  expectTypeOf<InputOf<"GET /v1/jobs/:id">["params"]>().toEqualTypeOf<{ id: string }>();
  expectTypeOf<InputOf<"POST /v1/datasets">["body"]>().toEqualTypeOf<{ name: string; project?: string | undefined }>();
  expectTypeOf<{ params: { id: string } }>().toExtend<InputOf<"GET /v1/jobs/:id/embeddings">>();
  expectTypeOf<{ query: { first: number } }>().toExtend<InputOf<"GET /v1/jobs">>();
  expectTypeOf<{ query: { first: string } }>().not.toExtend<InputOf<"GET /v1/jobs">>();
  expectTypeOf<{ query: { state: "ASLEEP" } }>().not.toExtend<InputOf<"GET /v1/jobs">>();
});

test("a route that takes an idempotency key wants one", () => {
  expectTypeOf<{ body: object }>().not.toExtend<InputOf<"POST /v1/jobs">>();
  expectTypeOf<{ body: object; idempotencyKey: string }>().toExtend<InputOf<"POST /v1/jobs">>();
});
