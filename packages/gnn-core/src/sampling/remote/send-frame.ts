import type { Socket } from "node:net";
import { encodeHeader, type FrameKind } from "./frames.ts";

/**
 * Puts a frame on its way, without copies of its arrays; nothing happens on a socket that is closed.
 *
 * @param onSent the arrays are not needed any more
 */
export function sendFrame(
  socket: Socket,
  kind: FrameKind,
  id: number,
  payload: readonly Uint8Array[] = [],
  onSent?: () => void,
): void {
  if (!socket.writable) return;
  const parts = [
    encodeHeader(
      kind,
      id,
      payload.reduce((sum, { length }) => sum + length, 0),
    ),
    ...payload,
  ];
  socket.cork();
  const filled = parts.filter(({ length }) => length > 0);
  for (const [i, bytes] of filled.entries()) socket.write(bytes, i === filled.length - 1 ? onSent : undefined);
  socket.uncork();
}
