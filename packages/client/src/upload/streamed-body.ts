/**
 * What `fetch` is given so that it sends bytes as they come. Node's keeps a second copy of the stream for a redirect,
 * unread, so that all that was sent stays in memory: unless no redirect is followed and no window is asked (Fetch
 * Standard, HTTP-network-or-cache fetch, step 8.1).
 */
export function streamedBody(chunks: AsyncIterable<Uint8Array>): RequestInit {
  return { body: ReadableStream.from(chunks), duplex: "half", redirect: "error", window: null };
}
