import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "@hopwise/contracts";

/** Longer than a process takes to end that was told to, or whose worker was killed. */
const patienceMs = 30_000;
const lookMs = 100;

/** A server that nobody refers to any more would be closed. */
const held: Server[] = [];

/**
 * Holds a device for this process, until it ends, against every other rank on this host: one of an attempt that was
 * given up and has not ended yet, of another worker, of another installation. The scheduler gives a device to one stage
 * at a time; here the kernel sees to it that the stage before has really left. The lock is a name in the kernel's table
 * of abstract sockets, which needs no file, no rights and no cleaning up.
 *
 * @throws AppError DEVICE_BUSY when another process holds it all the while
 */
export async function holdDevice(uuid: string, patience = patienceMs): Promise<void> {
  const deadline = performance.now() + patience;
  for (;;) {
    const server = await take(`\0hopwise-device-${uuid}`);
    if (server) {
      server.unref();
      held.push(server);
      return;
    }
    if (performance.now() > deadline) throw busy(uuid, patience);
    await delay(lookMs);
  }
}

async function take(path: string): Promise<Server | null> {
  const server = createServer((socket) => socket.destroy());
  try {
    server.listen({ path, exclusive: true });
    await once(server, "listening");
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return null;
    throw error;
  }
}

function busy(uuid: string, patience: number): AppError {
  const detail = `The device ${uuid} is held by another rank on this host, which did not end within ${patience / 1000} s: of another installation of Hopwise, or one that hangs. See the processes on the device (nvidia-smi), or hide it from one of them with CUDA_VISIBLE_DEVICES.`;
  return new AppError("DEVICE_BUSY", detail);
}
