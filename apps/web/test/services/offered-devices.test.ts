import { jobSpec } from "@hopwise/contracts";
import { expect, test } from "vitest";
import { z } from "zod";
import { type JsonSchema, schemaAt, shapeOf } from "../../src/services/json-schema.ts";
import { withDevicesOf } from "../../src/services/offered-devices.ts";

const schema = z.toJSONSchema(jobSpec, { io: "input" }) as JsonSchema;
const worker = (kind: string, state = "ONLINE", compatible = true) => ({ state, compatible, devices: [{ kind }] });
const offered = (...workers: ReturnType<typeof worker>[]) => {
  const device = schemaAt(withDevicesOf(workers, schema), ["resources", "device"]);
  const shape = shapeOf(device as JsonSchema);
  return shape.kind === "select" ? shape.options : null;
};

test("a job may choose among the devices that online workers announce, or leave it open", () => {
  expect(offered(worker("cpu"))).toEqual(["auto", "cpu"]);
  expect(offered(worker("cpu"), worker("cuda"))).toEqual(["auto", "cpu", "cuda"]);
  expect(offered(worker("cuda"))).toEqual(["auto", "cuda"]);
});

test("a worker that is gone, or gets no work, offers nothing", () => {
  expect(offered(worker("cpu"), worker("cuda", "OFFLINE"), worker("cuda", "ONLINE", false))).toEqual(["auto", "cpu"]);
});

test("where no worker is online a CPU can be chosen, as any worker will have one", () => {
  expect(offered()).toEqual(["auto", "cpu"]);
});

test("everything else of the schema stays", () => {
  const { resources, ...others } = withDevicesOf([worker("cpu")], schema).properties ?? {};
  const { resources: before, ...same } = schema.properties ?? {};
  expect(others).toEqual(same);
  const { device: _now, ...fields } = resources?.properties ?? {};
  const { device: _was, ...asBefore } = before?.properties ?? {};
  expect(fields).toEqual(asBefore);
});
