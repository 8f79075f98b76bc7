import { describe, expect, it } from "vitest";
import { problemFrom } from "../../src/index.ts";

const errorOf = (fields: object) => Object.assign(new Error("Invalid `prisma.job.count()` invocation"), fields);

describe("a database or a Redis that does not answer", () => {
  it.each([
    ["a socket that is not there", errorOf({ name: "PrismaClientKnownRequestError", code: "ENOENT" })],
    ["a connection that broke", errorOf({ name: "PrismaClientKnownRequestError", code: "EPIPE" })],
    ["no way there", errorOf({ name: "PrismaClientKnownRequestError", code: "P1001" })],
    ["a server that shuts down", errorOf({ name: "PrismaClientKnownRequestError", code: "57P01" })],
    ["a server that starts up", errorOf({ meta: { driverAdapterError: { cause: { originalCode: "57P03" } } } })],
    ["a transaction that could not begin", new Error("connect ECONNREFUSED 127.0.0.1:5432")],
    ["a pool with no connection to spare", new Error("Unable to start a transaction in the given time.")],
    ["a connection that the server ended", new Error("x", { cause: new Error("Connection terminated unexpectedly") })],
  ])("as %s is UPSTREAM_UNAVAILABLE, to be tried again", (_, error) => {
    expect(problemFrom(error)).toMatchObject({ code: "UPSTREAM_UNAVAILABLE", status: 503, retryable: true });
  });

  it.each([
    ["a file that is missing", Object.assign(new Error("ENOENT: no such file or directory"), { code: "ENOENT" })],
    ["a wrong query", errorOf({ name: "PrismaClientKnownRequestError", code: "P2010" })],
    ["nothing at all", undefined],
  ])("is not taken for %s", (_, error) => {
    expect(problemFrom(error).code).toBe("INTERNAL");
  });
});
