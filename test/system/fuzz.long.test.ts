import { describe, expect, it } from "vitest";
import { runFuzz } from "../fuzz/run-fuzz.ts";
import { targetNames } from "../fuzz/target.ts";

const numCases = 600;

describe("what nobody means", () => {
  it("sent to REST, GraphQL, sockets, specs and readers of files is refused with a known code, and nothing dies or stands still", async () => {
    const report = await runFuzz({ seed: 1, cases: numCases, only: targetNames, at: null });
    expect(report.faults).toEqual([]);
    expect(report.cases).toBe(numCases);
    // Else it would be refused at the door, and nothing behind it would have been tried.
    expect(report.endings["rest"]).toMatchObject({ 200: expect.any(Number), 400: expect.any(Number) });
    expect(report.endings["graphql"]).toMatchObject({ 200: expect.any(Number) });
    expect(report.endings["specs"]).toMatchObject({ 200: expect.any(Number), 422: expect.any(Number) });
    expect(report.endings["files"]).toMatchObject({
      fine: expect.any(Number),
      DATASET_FORMAT_INVALID: expect.any(Number),
    });
    expect(report.endings["formats"]).toMatchObject({
      read: expect.any(Number),
      DATASET_FORMAT_INVALID: expect.any(Number),
    });
    expect(report.endings["websocket"]).toMatchObject({ answered: expect.any(Number) });
  }, 400_000);
});
