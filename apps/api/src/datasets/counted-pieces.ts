/** The pieces until the signal says that they are wanted no more; each is counted once the next is asked for. */
export async function* countedPieces(
  pieces: AsyncIterable<Uint8Array>,
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    signal.throwIfAborted();
    yield piece;
    bytes += piece.byteLength;
    onBytes(bytes);
  }
}
