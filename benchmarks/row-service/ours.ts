/**
 * Reading rows of another process by random ids, as a partitioned mini-batch does: through the row service with and
 * without encryption, and over a plain TCP socket of Node with the same look-up.
 *
 * Figure: GB of rows per second of CPU time of both processes together, through the encrypted row service; the other
 * ways and wall-clock rates are in `details`. Ceiling: as many bytes in a row over a plain TCP socket on the loopback
 * interface, without a look-up, in the same run.
 *
 *   ours.ts [--small]   rows that only show that the benchmark runs
 */
import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { cpus } from "node:os";
import type { RendezvousStore } from "../../packages/gnn-core/src/dist/rendezvous-store.ts";
import { InMemoryRendezvousStore, prefixedStore } from "../../packages/gnn-core/src/dist/rendezvous-store.ts";
import { connectRowService } from "../../packages/gnn-core/src/dist-store/zeromq-rows.ts";
import { SeededRandom } from "../../packages/gnn-core/src/generate/random.ts";
import { compileProgram } from "../../script/lib/compile-program.mjs";
import { cpuSeconds, median } from "../epoch/cpu-clock.ts";
import { type FromPeer, isInOrder, type ToPeer } from "./ways.ts";

const isSmall = process.argv.includes("--small");
const numRows = isSmall ? 1000 : 500_000;
const dim = 100;
const numIds = isSmall ? 200 : 20_000;
const repeats = isSmall ? 3 : 15;
const random = new SeededRandom(1);

interface Way {
  readonly name: string;
  read(ids: Int32Array): Promise<Float32Array>;
  close(): Promise<void>;
  readonly cpuRates: number[];
  readonly wallRates: number[];
}

const peer = fork(await compileProgram(new URL("./peer.ts", import.meta.url)), [String(numRows), String(dim)]);
const shared = serveStore(peer);
await told("ready");
const ways = [
  await rowService("encrypted", randomBytes(32)),
  await rowService("open", null),
  await plainSocket("socket", 0),
  await plainSocket("ceiling", isInOrder),
];

for (let repeat = 0; repeat <= repeats; repeat++) {
  const ids = Int32Array.from({ length: numIds }, () => random.integer(numRows));
  // Other work on the machine hits all of them alike: they take turns.
  for (const way of ways) {
    const before = [cpuSeconds() + (await peerCpu()), performance.now()] as const;
    const rows = await way.read(ids);
    const wall = performance.now() - before[1];
    const cpu = cpuSeconds() + (await peerCpu()) - before[0];
    if (way.name !== "ceiling" && rows[(numIds - 1) * dim] !== ids.at(-1)) throw new Error(`${way.name}: a wrong row`);
    // The first and cold round is left out.
    if (repeat === 0) continue;
    way.cpuRates.push(rows.byteLength / cpu / 1e9);
    way.wallRates.push(rows.byteLength / (wall / 1000) / 1e9);
  }
}
for (const way of ways) await way.close();
peer.kill();

async function rowService(name: string, secret: Buffer | null): Promise<Way> {
  const hosted = told("hosted");
  ask({ bench: "connect", way: name, secret: secret?.toString("hex") ?? null });
  const service = await connectRowService({ rank: 0, worldSize: 2, store: prefixedStore(shared, name), secret });
  const schema = { dtype: "float32", dim, offsets: [0, 0, numRows], readOnly: true } as const;
  service.host("rows", schema, new Float32Array(0));
  await hosted;
  const read = (ids: Int32Array) => service.get<"float32">("rows", ids);
  return { name, read, close: () => service.close(), cpuRates: [], wallRates: [] };
}

async function plainSocket(name: string, flag: number): Promise<Way> {
  const listening = told("port");
  ask({ bench: "listen" });
  const { port } = await listening;
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.setNoDelay(true);
  const read = (ids: Int32Array) =>
    new Promise<Float32Array>((resolve) => {
      const bytes = new Uint8Array(ids.length * dim * 4);
      let length = 0;
      const take = (chunk: Buffer) => {
        bytes.set(chunk, length);
        length += chunk.length;
        if (length < bytes.length) return;
        socket.off("data", take);
        resolve(new Float32Array(bytes.buffer));
      };
      socket.on("data", take);
      const request = Int32Array.of(ids.length | flag, ...ids);
      socket.write(new Uint8Array(request.buffer));
    });
  const close = async () => void socket.destroy();
  return { name, read, close, cpuRates: [], wallRates: [] };
}

async function peerCpu(): Promise<number> {
  const answer = told("cpu");
  ask({ bench: "cpu" });
  return (await answer).seconds;
}

function ask(message: ToPeer): void {
  peer.send(message);
}

function told<B extends FromPeer["bench"]>(bench: B): Promise<Extract<FromPeer, { bench: B }>> {
  return new Promise((resolve) => {
    const listen = (message: FromPeer) => {
      if (message.bench !== bench) return;
      peer.off("message", listen);
      resolve(message as Extract<FromPeer, { bench: B }>);
    };
    peer.on("message", listen);
  });
}

/** One store for the peer, which asks over its channel, and for this process. */
function serveStore(child: ChildProcess): RendezvousStore {
  const store = new InMemoryRendezvousStore();
  child.on("message", (message: { rendezvous?: string; key: string; bytes: number[] }) => {
    const { rendezvous, key, bytes } = message;
    if (rendezvous === "set") void store.set(key, Uint8Array.from(bytes));
    else if (rendezvous === "get") {
      void answer(child, store, key);
    }
  });
  return store;
}

async function answer(child: ChildProcess, store: RendezvousStore, key: string): Promise<void> {
  const bytes = await store.get(key, new AbortController().signal);
  child.send({ rendezvous: "value", key, bytes: [...bytes] });
}

const rates = (of: (way: Way) => readonly number[]) =>
  Object.fromEntries(ways.map((way) => [way.name, median(of(way))]));
const perCpuSecond = rates(({ cpuRates }) => cpuRates);
console.log(
  JSON.stringify({
    topic: "row-service",
    figure: perCpuSecond["encrypted"],
    unit: "GB/CPU-s",
    better: "higher",
    ceiling: perCpuSecond["ceiling"],
    details: {
      rows: numRows,
      dim,
      rowsPerRead: numIds,
      gigabytesPerCpuSecond: perCpuSecond,
      gigabytesPerSecond: rates(({ wallRates }) => wallRates),
      cpu: cpus()[0]?.model ?? "unknown",
    },
  }),
);
