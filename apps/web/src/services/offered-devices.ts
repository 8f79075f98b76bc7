import { type JsonSchema, schemaAt } from "./json-schema.ts";

interface ShownWorker {
  readonly state: string;
  readonly compatible: boolean;
  readonly devices: readonly { readonly kind: string }[];
}

/** The schema of job specs whose `resources.device` offers what workers announce; a CPU also where none is online. */
export function withDevicesOf(workers: readonly ShownWorker[], schema: JsonSchema): JsonSchema {
  const online = workers.filter(({ state, compatible }) => compatible && state === "ONLINE");
  const kinds = online.length === 0 ? ["cpu"] : online.flatMap(({ devices }) => devices.map(({ kind }) => kind));
  const resources = schemaAt(schema, ["resources"]);
  const device = schemaAt(resources, ["device"]);
  if (!resources || !device?.enum) return schema;
  const offered = device.enum.filter((one) => one === "auto" || kinds.includes(String(one)));
  const properties = { ...resources.properties, device: { ...device, enum: offered } };
  return { ...schema, properties: { ...schema.properties, resources: { ...resources, properties } } };
}
