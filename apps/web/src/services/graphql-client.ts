import type { Client as SocketClient, SubscribePayload } from "graphql-ws";
import {
  type Client,
  cacheExchange,
  createClient,
  mapExchange,
  type SubscriptionForwarder,
  subscriptionExchange,
} from "urql";
import { api } from "./api.ts";
import { takeEarlyAnswer } from "./early-answer.ts";
import { createLiveSocket } from "./live-socket.ts";

type Observer = Parameters<ReturnType<SubscriptionForwarder>["subscribe"]>[0];

/**
 * The page's cache of GraphQL. Queries and mutations are sent by the client of all other calls, subscriptions over one
 * WebSocket; what was missed while that was away is asked for by cursor (see job-follower).
 */
export function createGraphqlClient(onSignedOut: () => void): Client {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = createLiveSocket({ url: `${scheme}://${location.host}/graphql` });
  return createClient({
    url: `${api.url}/graphql`,
    preferGetMethod: false,
    requestPolicy: "cache-and-network",
    exchanges: [
      cacheExchange,
      mapExchange({
        onError: (error) => {
          const codes = error.graphQLErrors.map((one) => one.extensions["code"]);
          if (codes.includes("AUTH_REQUIRED") || codes.includes("AUTH_INVALID")) onSignedOut();
        },
      }),
      subscriptionExchange({
        enableAllOperations: true,
        forwardSubscription: ({ query = "", variables = {} }, { kind }) => ({
          subscribe: (observer) => ({
            unsubscribe:
              kind === "subscription"
                ? follow(socket, { query, variables }, observer)
                : ask({ query, variables }, observer),
          }),
        }),
      }),
    ],
  });
}

/** Sends a query or mutation. @returns how to stop it */
function ask(payload: SubscribePayload, observer: Observer): () => void {
  const controller = new AbortController();
  void answer(payload, observer, controller.signal);
  return () => controller.abort();
}

async function answer({ query, variables }: SubscribePayload, observer: Observer, signal: AbortSignal): Promise<void> {
  try {
    const early = await takeEarlyAnswer(JSON.stringify({ query, variables }));
    const { data = null, errors } =
      early ?? (await api.graphqlAnswer<Record<string, unknown>>(query, variables ?? {}, { signal }));
    observer.next({ data, ...(errors && { errors: [...errors] }) });
    observer.complete();
  } catch (error) {
    observer.error(error);
  }
}

/**
 * Follows a subscription. Its end is told as a last result without data: one that ends before its first event would
 * otherwise look like one that waits.
 *
 * @returns how to stop it
 */
function follow(socket: SocketClient, payload: SubscribePayload, observer: Observer): () => void {
  return socket.subscribe(payload, {
    next: ({ data = null, errors, extensions }) =>
      observer.next({ data, ...(errors && { errors: [...errors] }), extensions: extensions ?? {} }),
    error: (error) => observer.error(error),
    complete: () => {
      observer.next({ data: null, hasNext: false });
      observer.complete();
    },
  });
}
