import { describe, expect, it } from "vitest";
import { z } from "zod";
import { schemaIssue } from "../../src/index.ts";

const schema = z.strictObject({ train: z.strictObject({ epochs: z.number(), "a/b": z.number().optional() }) });

function issueOf(value: unknown) {
  const parsed = schema.safeParse(value);
  if (parsed.success) throw new Error("the value fits");
  return schemaIssue(parsed.error, ["spec"]);
}

describe("the first thing that a schema objects to", () => {
  it("is pointed at by its place in what was sent", () => {
    expect(issueOf({ train: { epochs: "ten" } })).toMatchObject({ pointer: "/spec/train/epochs" });
  });

  it("is pointed at by its own name when there is no such field", () => {
    expect(issueOf({ train: { epochs: 1, epoch: 2 } })).toEqual({
      pointer: "/spec/train/epoch",
      message: "There is no field of this name here; correct or remove it",
    });
  });

  it("escapes what has a meaning in a pointer", () => {
    expect(issueOf({ train: { epochs: 1, "a/b": "x" } }).pointer).toBe("/spec/train/a~1b");
  });

  it("says how many more there are", () => {
    expect(issueOf({ train: { epochs: "ten", "a/b": "x" } }).message).toMatch(/\(and 1 more\)$/);
  });
});
