import { deviceLinkKinds, type WorkerDevice, workerDevice } from "@hopwise/contracts";

/**
 * Devices of one host, with a tree of islands in place of a machine: the first level of `path` at which two of them
 * differ decides how far they are from each other.
 */
export function devicesAt(paths: readonly (readonly number[])[], prefix = "GPU"): WorkerDevice[] {
  const uuidOf = (index: number) => `${prefix}-${index}`;
  return paths.map((path, index) =>
    workerDevice.parse({
      kind: "cuda",
      index,
      name: "x",
      memoryBytes: 16e9,
      uuid: uuidOf(index),
      links: paths.flatMap((other, to) =>
        to === index ? [] : [{ to: uuidOf(to), kind: deviceLinkKinds[linkBetween(path, other)] }],
      ),
    }),
  );
}

/** Levels of a path, the widest first; equal paths are joined by the fastest link. */
export const levels = deviceLinkKinds.length - 1;

function linkBetween(a: readonly number[], b: readonly number[]): number {
  const differs = a.findIndex((part, i) => part !== b[i]);
  return differs === -1 ? 0 : levels - differs;
}
