import { fileURLToPath } from "node:url";

/**
 * The program that lists this host's NVIDIA devices as lines of JSON and, with `--watch`, what they do. A process of
 * its own: a driver that crashes or hangs takes nobody along.
 */
export const devicesProgram = fileURLToPath(new URL("../../build/hopwise-devices", import.meta.url));
