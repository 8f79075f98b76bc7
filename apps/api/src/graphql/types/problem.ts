import type { Problem } from "@hopwise/contracts";
import { builder } from "../base/builder.ts";

/** RFC 9457, as in REST: what went wrong, where, and whether trying again can help. */
export const ProblemType = builder.objectRef<Problem>("Problem").implement({
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
