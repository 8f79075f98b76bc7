import type { RowDtype, RowSchema } from "../../src/dist-store/row-schema.ts";
import type { RowService } from "../../src/dist-store/row-service.ts";
import { type DrivenRows, toRows } from "../conformance/row-service.suite.ts";

/** A service of this process, driven with plain numbers as the conformance suite does. */
export function driveRows(service: RowService): DrivenRows {
  const dtypes = new Map<string, RowDtype>();
  const dtypeOf = (name: string) => dtypes.get(name) ?? "float32";
  return {
    host: async (name: string, schema: RowSchema, values) => {
      service.host(name, schema, values && toRows(schema.dtype, values));
      dtypes.set(name, schema.dtype);
    },
    get: async (name, ids, timeoutMs) => {
      const options = timeoutMs === undefined ? {} : { timeoutMs };
      const rows = await service.get(name, Int32Array.from(ids), options);
      return rows instanceof BigInt64Array ? Array.from(rows, Number) : Array.from(rows);
    },
    set: (name, ids, rows) => service.set(name, Int32Array.from(ids), toRows(dtypeOf(name), rows)),
    add: (name, ids, rows) => service.add(name, Int32Array.from(ids), toRows(dtypeOf(name), rows)),
    applyWrites: async (name) => service.applyWrites(name),
    takeSums: async (name) => {
      const { ids, rows } = service.takeSums(name);
      return { ids: [...ids], rows: [...rows] };
    },
    counters: async () => service.counters(),
    close: () => service.close(),
  };
}
