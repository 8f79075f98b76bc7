import { GnnError } from "@hopwise/gnn-core/spec";
import { describe, expect, it } from "vitest";
import { AppError, problemFrom } from "../../src/errors/problem.ts";

const systemError = (code: string) => Object.assign(new Error(`${code}: no space left on device, write`), { code });
/** As Prisma carries what a driver adapter throws. */
const prismaError = (originalCode: string) =>
  Object.assign(new Error("Invalid `prisma.job.create()` invocation"), {
    code: "P2039",
    meta: { driverAdapterError: { cause: { originalCode, code: originalCode, kind: "postgres" } } },
  });

describe("the problem behind an error", () => {
  it.each([
    ["the system's", systemError("ENOSPC"), "HOPWISE_DATA"],
    ["a quota's", systemError("EDQUOT"), "HOPWISE_DATA"],
    [
      "one that an engine's error wraps",
      new GnnError("EXPORT_FAILED", "no", { cause: systemError("ENOSPC") }),
      "HOPWISE_DATA",
    ],
    [
      "PostgreSQL's, from its driver",
      Object.assign(new Error("could not extend file"), { code: "53100" }),
      "the database",
    ],
    ["PostgreSQL's, through Prisma", prismaError("53100"), "the database"],
    ["Redis's, of its memory", new Error("OOM command not allowed when used memory > 'maxmemory'."), "maxmemory"],
    ["Redis's", new Error("MISCONF Errors writing to the AOF file: No space left on device"), "Redis"],
  ])("is STORAGE_FULL with its place where it is %s word for a full disk", (_whose, error, place) => {
    expect(problemFrom(error)).toMatchObject({ code: "STORAGE_FULL", status: 507, retryable: true });
    expect(problemFrom(error).detail).toContain(place);
  });

  it("is as it was for other errors of the same sources", () => {
    expect(problemFrom(systemError("EACCES")).code).toBe("INTERNAL");
    expect(problemFrom(prismaError("23505")).code).toBe("INTERNAL");
    expect(problemFrom(new GnnError("EXPORT_FAILED", "no")).code).toBe("EXPORT_FAILED");
    expect(problemFrom(new AppError("REQUEST_INVALID", "no", { cause: systemError("ENOSPC") })).code).toBe(
      "REQUEST_INVALID",
    );
  });
});
