import type { Socket } from "node:net";
import { encodeHeader, type FrameKind } from "./frames.ts";

/** Puts a frame on its way, without copies of its arrays; nothing happens on a socket that is closed. */
export function sendFrame(socket: Socket, kind: FrameKind, id: number, payload: readonly Uint8Array[] = []): void {
  if (!socket.writable) return;
  const numBytes = payload.reduce((sum, { length }) => sum + length, 0);
  socket.cork();
  socket.write(encodeHeader(kind, id, numBytes));
  for (const bytes of payload) if (bytes.length > 0) socket.write(bytes);
  socket.uncork();
}
