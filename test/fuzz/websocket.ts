import type { GraphQLSchema } from "graphql";
import { WebSocket } from "ws";
import { type Arena, patienceMs } from "./arena.ts";
import type { Dice } from "./dice.ts";
import { graphqlRequest } from "./graphql.ts";
import { deepText } from "./hostile.ts";
import { faultOfErrors, parseOrNull } from "./judge.ts";
import { mutateJson } from "./mutate-json.ts";
import type { Outcome, Target } from "./target.ts";

/** What a client says on one socket, in order. */
export interface Conversation {
  readonly protocols: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly frames: readonly Frame[];
  /** How the client leaves: with a farewell, or not. */
  readonly end: "close" | "terminate";
}

interface Frame {
  readonly text: string;
  readonly isBinary: boolean;
}

/** Conversations over the GraphQL socket that follow graphql-transport-ws, more or less. */
export class WebsocketTarget implements Target<Conversation> {
  readonly name = "websocket";
  readonly #arena: Arena;
  readonly #schema: GraphQLSchema;

  constructor(arena: Arena, schema: GraphQLSchema) {
    this.#arena = arena;
    this.#schema = schema;
  }

  generate(dice: Dice): Conversation {
    const protocols = dice.chance(0.9) ? ["graphql-transport-ws"] : dice.pick([[], ["graphql-ws"], ["soap"]]);
    const headers: Record<string, string> = dice.chance(0.3) ? { authorization: "{{authorization}}" } : {};
    const first = dice.chance(0.9) ? [this.#init(dice)] : [];
    const frames = [...first, ...dice.times(dice.integer(6), (i) => this.#frame(dice, i))];
    return { protocols, headers, frames, end: dice.pick(["close", "terminate"]) };
  }

  async run(conversation: Conversation): Promise<Outcome> {
    const resolved = conversation.frames.map((frame) => ({ ...frame, text: this.#arena.resolve(frame.text) }));
    const headers = Object.fromEntries(
      Object.entries(conversation.headers).map(([name, value]) => [name, this.#arena.resolve(value)] as const),
    );
    const url = `${this.#arena.stack.url.replace("http", "ws")}/graphql`;
    return converse(url, { ...conversation, headers, frames: resolved });
  }

  #init(dice: Dice): Frame {
    const payload = dice.chance(0.85) ? { authorization: "{{authorization}}" } : dice.hostileValue();
    return frame(JSON.stringify({ type: "connection_init", payload }));
  }

  #frame(dice: Dice, i: number): Frame {
    if (dice.chance(0.05)) return frame(dice.sample(deepText));
    if (dice.chance(0.05)) return { text: dice.hostileText(), isBinary: dice.chance(0.5) };
    const id = dice.chance(0.9) ? String(i) : dice.hostileValue();
    const message = dice.pick([
      () => ({ id, type: "subscribe", payload: graphqlRequest(this.#schema, dice) }),
      () => ({ id, type: "subscribe", payload: graphqlRequest(this.#schema, dice) }),
      () => ({ id, type: "subscribe", payload: events(dice) }),
      () => ({ id: String(dice.integer(3)), type: "complete" }),
      () => ({ type: "ping", payload: dice.hostileValue() }),
      () => ({ type: dice.pick(["pong", "connection_init", "start", "stop", dice.hostileText()]), id }),
    ])();
    return frame(JSON.stringify(dice.chance(0.15) ? mutateJson(dice, message) : message) ?? "");
  }
}

const frame = (text: string): Frame => ({ text, isBinary: false });

function events(dice: Dice): object {
  const query = 'subscription($after: String) { jobEvents(jobId: "{{job}}", after: $after) { cursor } }';
  return { query, variables: { after: dice.chance(0.5) ? "0" : dice.hostileValue() } };
}

/** Says all frames, waits until each operation has had its answer or the socket is closed, and judges what was said. */
function converse(url: string, { protocols, headers, frames, end }: Conversation): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, [...protocols], { headers: { ...headers } });
    const unanswered = operationsIn(frames).add(lastPing);
    let fault: string | null = null;
    const timer = setTimeout(() => finish("silent", `no answer came to ${[...unanswered].join()}`), patienceMs);
    const finish = (kind: string, found: string | null) => {
      clearTimeout(timer);
      if (end === "close" && socket.readyState === WebSocket.OPEN) socket.close();
      else socket.terminate();
      resolve({ kind, fault: found ?? fault });
    };
    socket.on("error", () => undefined);
    socket.on("unexpected-response", (_request, response) => {
      response.resume();
      const status = response.statusCode ?? 0;
      finish(
        `refused with ${status}`,
        status >= 500 && status !== 503 ? `the upgrade is refused with ${status}` : null,
      );
    });
    socket.on("close", (code) => finish(`closed with ${code}`, code === 1011 ? "closed by an error of ours" : null));
    socket.on("open", () => {
      for (const { text, isBinary } of frames) socket.send(isBinary ? Buffer.from(text) : text);
      // A ping's payload comes back with its answer.
      socket.send(JSON.stringify({ type: "ping", payload: { id: lastPing } }));
    });
    socket.on("message", (data: Buffer) => {
      const { answers, fault: found } = heard(data.toString("utf8"));
      fault ??= found;
      if (answers !== null) unanswered.delete(answers);
      if (unanswered.size === 0) finish("answered", null);
    });
  });
}

const lastPing = "the last ping";

/** Ids of queries and mutations that have to be answered: asked once, and not taken back. */
function operationsIn(frames: readonly Frame[]): Set<string> {
  const messages = frames.map(({ text }) => (parseOrNull(text) ?? {}) as SocketMessage);
  const asked = messages.filter(({ id, type, payload }) => {
    const query = (payload as { query?: unknown } | null | undefined)?.query;
    return typeof id === "string" && type === "subscribe" && /^(query|mutation)/.test(String(query));
  });
  const isOnce = (id: unknown) => messages.filter((message) => message.id === id).length === 1;
  return new Set(asked.map(({ id }) => String(id)).filter(isOnce));
}

interface SocketMessage {
  readonly id?: unknown;
  readonly type?: unknown;
  readonly payload?: unknown;
}

/** Which operation a message of the server answers, and what is wrong with it. */
function heard(text: string): { answers: string | null; fault: string | null } {
  const { id, type, payload } = (parseOrNull(text) ?? {}) as SocketMessage;
  if (type === "pong") return { answers: String((payload as { id?: unknown } | null | undefined)?.id), fault: null };
  const errors = type === "error" ? payload : (payload as { errors?: unknown } | null | undefined)?.errors;
  const isAnswer = type === "next" || type === "error" || type === "complete";
  return { answers: isAnswer ? String(id) : null, fault: Array.isArray(errors) ? faultOfErrors(errors) : null };
}
