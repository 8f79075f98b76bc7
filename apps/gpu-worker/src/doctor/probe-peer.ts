import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { DoctorConnection } from "@hopwise/contracts";
import { bulkBytes, bulkRequest, echoRequest } from "./wire.ts";

const numEchoes = 9;

/** Connects to a peer as a rank would: the least round trip of some, and the speed of a few MiB from there to here. */
export async function probePeer(
  address: string,
  port: number,
  id: string,
  patienceMs = 5000,
): Promise<DoctorConnection> {
  const socket = connect({ host: address, port, noDelay: true });
  const overdue = setTimeout(() => socket.destroy(new Error(`no answer within ${patienceMs / 1000} s`)), patienceMs);
  try {
    await once(socket, "connect");
    socket.write(id);
    const times: number[] = [];
    for (let i = 0; i < numEchoes; i++) times.push(await msFor(socket, echoRequest, 1));
    const bulkMs = await msFor(socket, bulkRequest, bulkBytes);
    return { ok: true, roundTripMs: Math.min(...times), mibPerSecond: bulkBytes / 2 ** 20 / (bulkMs / 1000) };
  } catch (error) {
    return { ok: false, why: `${address}:${port}: ${error instanceof Error ? error.message : String(error)}` };
  } finally {
    clearTimeout(overdue);
    socket.destroy();
  }
}

async function msFor(socket: Socket, request: number, bytes: number): Promise<number> {
  const startedAt = performance.now();
  socket.write(Buffer.of(request));
  let received = 0;
  for await (const data of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    received += data.length;
    if (received >= bytes) return performance.now() - startedAt;
  }
  throw new Error("the other side closed the connection");
}
