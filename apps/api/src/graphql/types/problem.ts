import { builder } from "../builder.ts";

/** RFC 9457, as in REST: what went wrong, where, and whether trying again can help. */
export interface ProblemShape {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly pointer?: string;
  readonly file?: string;
  readonly line?: number;
  readonly field?: string;
  readonly retryable: boolean;
}

export const ProblemType = builder.objectRef<ProblemShape>("Problem").implement({
  fields: (t) => ({
    type: t.exposeString("type"),
    title: t.exposeString("title"),
    status: t.exposeInt("status"),
    code: t.exposeString("code"),
    detail: t.exposeString("detail"),
    pointer: t.exposeString("pointer", { nullable: true, description: "JSON pointer into the spec" }),
    file: t.exposeString("file", { nullable: true }),
    line: t.exposeInt("line", { nullable: true }),
    field: t.exposeString("field", { nullable: true }),
    retryable: t.exposeBoolean("retryable"),
  }),
});

/** The problem stored in a JSON column. */
export function storedProblem(value: unknown): ProblemShape | null {
  return value === null || value === undefined ? null : (value as ProblemShape);
}
