/** Chunks of a file, each with whether it is the last one. */
export async function* chunksWithEnd(bytes: AsyncIterable<Uint8Array>) {
  let last = new Uint8Array();
  for await (const chunk of bytes) {
    if (last.length > 0) yield { chunk: last, isLast: false };
    last = chunk as Uint8Array<ArrayBuffer>;
  }
  yield { chunk: last, isLast: true };
}
