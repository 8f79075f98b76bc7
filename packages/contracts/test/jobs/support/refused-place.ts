import type { Registry } from "@hopwise/gnn-core/spec";
import { expect } from "vitest";
import { problemFrom, resolveJobSpec } from "../../../src/index.ts";

/** The place of a training job's spec that is objected to; null: nothing is. */
export function refusedPlace(spec: object, registry: Registry): string | null {
  try {
    resolveJobSpec({ version: 1, kind: "train", dataset: "ds_1", ...spec }, registry);
    return null;
  } catch (error) {
    const { code, pointer } = problemFrom(error);
    expect(code).toBe("JOB_SPEC_INVALID");
    return pointer ?? "";
  }
}
