import { parseArgs } from "node:util";
import type { BackendOptions } from "../../../packages/gnn-core/src/backends/select-backend.ts";

const { values } = parseArgs({
  options: {
    emulated: { type: "boolean", default: false },
    graph: { type: "string", default: "" },
  },
});

/** In the emulation everything is small: it shows that the program runs. */
export const isSmall = values.emulated;
/** The device of the backend `cuda` that the program computes on */
export const device: BackendOptions = { cudaDevice: values.emulated ? "emulated" : "gpu" };
/** Folder of a graph, as script/generate --format arrays writes one */
export const graphDir = values.graph;

/** What a program has found goes out at once, a line of JSON each. */
export function tell(figures: Readonly<Record<string, unknown>>): void {
  console.log(JSON.stringify(figures));
}

export const rounded = (value: number): number => Number(value.toPrecision(4));
