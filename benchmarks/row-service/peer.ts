/** The rank that owns the rows, in a process of its own: offers them over each way that ours.ts compares. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { parentRendezvous } from "../../packages/gnn-core/src/dist/ipc-rendezvous.ts";
import { prefixedStore } from "../../packages/gnn-core/src/dist/rendezvous-store.ts";
import { connectRowService } from "../../packages/gnn-core/src/dist-store/zeromq-rows.ts";
import { DenseFeatureStore } from "../../packages/gnn-core/src/features/dense-feature-store.ts";
import { cpuSeconds } from "../epoch/cpu-clock.ts";
import { type FromPeer, isInOrder, type ToPeer, values } from "./ways.ts";

const [numRows = 0, dim = 0] = process.argv.slice(2).map(Number);
const rows = values(numRows, dim);
const tell = (message: FromPeer) => process.send?.(message);

/** A plain socket: requests are a count and ids, replies are rows. In order: rows as they lie, without a look-up. */
async function listen(): Promise<void> {
  const store = new DenseFeatureStore(dim, [rows]);
  const server = createServer((socket) => serve(socket, store));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  tell({ bench: "port", port: (server.address() as AddressInfo).port });
}

function serve(socket: Socket, store: DenseFeatureStore): void {
  let received = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on("data", (bytes) => {
    received = Buffer.concat([received, bytes]);
    while (received.length >= 4) {
      const head = received.readUInt32LE(0);
      const count = head & ~isInOrder;
      const length = 4 + 4 * count;
      if (received.length < length) return;
      const ids = new Int32Array(received.buffer.slice(received.byteOffset + 4, received.byteOffset + length));
      received = received.subarray(length);
      const gathered = store.gather(ids.subarray(0, head === count ? count : 0)).values;
      const reply = head === count ? gathered : rows.subarray(0, count * dim);
      socket.write(new Uint8Array(reply.buffer, reply.byteOffset, reply.byteLength));
    }
  });
}

process.on("message", (message: ToPeer) => {
  if (message.bench === "cpu") tell({ bench: "cpu", seconds: cpuSeconds() });
  else if (message.bench === "listen") void listen();
  else if (message.bench === "connect") void offer(message);
});

/** Offers the same rows through the row service. */
async function offer({ way, secret }: Extract<ToPeer, { bench: "connect" }>): Promise<void> {
  const store = prefixedStore(parentRendezvous(), way);
  const options = { rank: 1, worldSize: 2, store, secret: secret ? Buffer.from(secret, "hex") : null };
  const service = await connectRowService(options);
  service.host("rows", { dtype: "float32", dim, offsets: [0, 0, numRows], readOnly: true }, rows);
  tell({ bench: "hosted" });
}

// When the benchmark ends early, so does its peer.
process.on("disconnect", () => process.exit());
tell({ bench: "ready" });
