import { type Client, createClient, type ExecutionResult } from "graphql-ws";
import { WebSocket } from "ws";
import type { TestApp } from "./start-app.ts";

export interface TestSocket {
  readonly client: Client;
  /** Resolves with how the server closed it. */
  readonly closed: Promise<{ code: number; reason: string }>;
  run(query: string, variables?: Record<string, unknown>): Promise<ExecutionResult>;
}

export function addressOf(app: TestApp): string {
  const place = app.server.server.address();
  if (typeof place !== "object" || place === null) throw new Error("The test's service does not listen.");
  return `127.0.0.1:${place.port}`;
}

/** A graphql-ws client whose socket is open and let in. */
export async function openSocket(
  app: TestApp,
  { authorization, cookie }: { authorization?: string; cookie?: string },
): Promise<TestSocket> {
  class SocketWithCookie extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols, cookie ? { headers: { cookie, origin: `http://${addressOf(app)}` } } : {});
    }
  }
  let client: Client | undefined;
  let close: (event: { code: number; reason: string }) => void = () => {};
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    close = resolve;
  });
  const isLetIn = new Promise<void>((resolve, reject) => {
    client = createClient({
      url: `ws://${addressOf(app)}/graphql`,
      webSocketImpl: SocketWithCookie,
      connectionParams: authorization ? { authorization } : {},
      lazy: false,
      retryAttempts: 0,
      onNonLazyError: () => {},
      on: {
        connected: () => resolve(),
        closed: (event) => {
          const { code, reason } = event as { code: number; reason: string };
          close({ code, reason });
          reject(new Error(`closed with ${code} ${reason}`));
        },
      },
    });
  });
  await isLetIn;
  if (!client) throw new Error("There is no client.");
  const opened = client;
  const run = async (query: string, variables: Record<string, unknown> = {}) => {
    const { value } = await opened.iterate({ query, variables }).next();
    return value as ExecutionResult;
  };
  return { client: opened, closed, run };
}

/** A socket that speaks for itself, to send what a client would not. */
export function rawSocket(app: TestApp, headers: Record<string, string> = {}): RawSocket {
  const socket = new WebSocket(`ws://${addressOf(app)}/graphql`, "graphql-transport-ws", { headers });
  const messages: Record<string, unknown>[] = [];
  socket.on("message", (data) => messages.push(JSON.parse((data as Buffer).toString("utf8"))));
  socket.on("error", () => {});
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once("close", (code, reason) => resolve({ code, reason: String(reason) }));
  });
  const opened = new Promise<void>((resolve) => socket.once("open", () => resolve()));
  return { socket, messages, closed, opened };
}

export interface RawSocket {
  readonly socket: WebSocket;
  readonly messages: readonly Record<string, unknown>[];
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly opened: Promise<void>;
}
