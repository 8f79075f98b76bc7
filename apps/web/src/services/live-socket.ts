import { type Client, type ClientOptions, createClient } from "graphql-ws";

interface SocketSettings extends Pick<ClientOptions<Record<string, unknown>>, "webSocketImpl"> {
  readonly url: string;
  /** How long the socket may be silent before it is asked for a sign of life, and how long that may take */
  readonly askAfterMs?: number;
  readonly answerWithinMs?: number;
}

/**
 * The socket of subscriptions. A connection that is cut off without a word (a laptop that slept, a network that
 * changed) still looks open, so it is asked for a pong; without one in time it is ended, and what follows over it is
 * told. It does not connect again by itself: who follows knows from where to go on.
 */
export function createLiveSocket({
  askAfterMs = 10_000,
  answerWithinMs = 10_000,
  ...settings
}: SocketSettings): Client {
  let deadline: ReturnType<typeof setTimeout> | undefined;
  const client: Client = createClient({
    ...settings,
    lazy: true,
    retryAttempts: 0,
    keepAlive: askAfterMs,
    on: {
      ping: (isReceived) => {
        if (isReceived) return;
        clearTimeout(deadline);
        deadline = setTimeout(() => client.terminate(), answerWithinMs);
      },
      pong: (isReceived) => {
        if (isReceived) clearTimeout(deadline);
      },
      closed: () => clearTimeout(deadline),
    },
  });
  return client;
}
