import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What ranks hold open between them: sums of gradients, or rows of a partitioned graph. */
export type RankConnection = "Gloo" | "row service";

interface TcpSocket {
  readonly local: string;
  readonly peer: string;
  readonly pids: readonly number[];
}

/** Whether connections of other processes can be cut here: as root, by a kernel with INET_DIAG_DESTROY. */
export async function canCutConnections(): Promise<boolean> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const near = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [far] = (await once(server, "connection")) as [Socket];
  try {
    const lost = Promise.race([once(near, "error"), once(far, "error")]);
    cut({ local: `127.0.0.1:${far.localPort}`, peer: `127.0.0.1:${far.remotePort}` });
    // Where it is not allowed ss says nothing and does nothing: then this ends the wait.
    setTimeout(() => near.destroy(new Error("still there")), 500).unref();
    const [error] = (await lost) as [NodeJS.ErrnoException];
    return error.code !== undefined;
  } catch {
    return false;
  } finally {
    for (const socket of [near, far]) socket.on("error", () => {}).destroy();
    server.close();
  }
}

/**
 * Cuts every connection of a rank's process with other ranks. A row service goes on listening at the port where it was
 * reached; Gloo listens only while it connects.
 *
 * @returns how many there were
 */
export function cutRankConnections(pid: number, kind: RankConnection): number {
  const listening = new Set(sockets("listening").map(({ local }) => local));
  const found = sockets("established").filter(({ local, peer, pids }) => {
    const isRows = listening.has(local) || listening.has(peer);
    return pids.includes(pid) && isRows === (kind === "row service");
  });
  for (const socket of found) cut(socket);
  return found.length;
}

function sockets(state: "listening" | "established"): TcpSocket[] {
  const lines = execFileSync("ss", ["-tnpH", "state", state], { encoding: "utf8" }).trim().split("\n");
  return lines.map((line) => {
    const [, , local = "", peer = "", users = ""] = line.trim().split(/\s+/);
    return { local, peer, pids: Array.from(users.matchAll(/pid=(\d+)/g), ([, pid]) => Number(pid)) };
  });
}

function cut({ local, peer }: Pick<TcpSocket, "local" | "peer">): void {
  execFileSync("ss", ["-K", "-tnH", "src", local, "dst", peer], { stdio: "ignore" });
}
