import { type DeviceLink, type WorkerDevice, workerDevice } from "@hopwise/contracts";

/** As much as an ordinary GPU has, so that estimates of small graphs fit and those of large ones do not. */
const memoryBytes = 16 * 2 ** 30;

/**
 * Devices that do not exist, for tests of everything that is done with devices: what they compute, the CPU does.
 *
 * @param islands  how many there are in each; those of one have NVLink between them, the others the host's bridge
 */
export function emulatedDevices(islands: readonly number[], workerId: string): WorkerDevice[] {
  const islandOf = islands.flatMap((size, island) => Array.from({ length: size }, () => island));
  const uuidOf = (index: number) => `EMULATED-${workerId}-${index}`;
  return islandOf.map((island, index) =>
    workerDevice.parse({
      kind: "cuda",
      index,
      name: "emulated device (computes on the CPU)",
      memoryBytes,
      uuid: uuidOf(index),
      isEmulated: true,
      links: islandOf.flatMap((other, to): DeviceLink[] => {
        if (to === index) return [];
        return [{ to: uuidOf(to), kind: other === island ? "nvlink" : "host-bridge" }];
      }),
    }),
  );
}
