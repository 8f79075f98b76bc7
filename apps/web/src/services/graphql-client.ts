import { createClient as createSocketClient } from "graphql-ws";
import { type Client, cacheExchange, createClient, fetchExchange, mapExchange, subscriptionExchange } from "urql";

/**
 * The one GraphQL client. Queries go over HTTP with the session's cookie, subscriptions over one WebSocket that
 * reconnects by itself; what was missed meanwhile is asked for by cursor (see use-job-events).
 */
export function createGraphqlClient(onSignedOut: () => void): Client {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = createSocketClient({ url: `${scheme}://${location.host}/graphql`, lazy: true, retryAttempts: 0 });
  return createClient({
    url: "/graphql",
    // GET would put specs into URLs and logs.
    preferGetMethod: false,
    fetchOptions: { credentials: "same-origin" },
    requestPolicy: "cache-and-network",
    exchanges: [
      cacheExchange,
      mapExchange({
        onError: (error) => {
          const codes = error.graphQLErrors.map((one) => one.extensions["code"]);
          if (codes.includes("AUTH_REQUIRED") || codes.includes("AUTH_INVALID")) onSignedOut();
        },
      }),
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query, variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: socket.subscribe(
              { query: query ?? "", variables: variables ?? null },
              {
                next: ({ data = null, errors, extensions }) =>
                  sink.next({ data, ...(errors && { errors: [...errors] }), extensions: extensions ?? {} }),
                error: (error) => sink.error(error),
                complete: () => sink.complete(),
              },
            ),
          }),
        }),
      }),
    ],
  });
}
