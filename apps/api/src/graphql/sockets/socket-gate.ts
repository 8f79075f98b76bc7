import { AppError, limits, problemFrom } from "@hopwise/contracts";
import type { FastifyRequest } from "fastify";
import { CloseCode, type Context } from "graphql-ws";
import { type Credential, credentialOf } from "../../auth/authenticate.ts";
import type { Viewer } from "../../auth/viewer.ts";
import { authRequired, credentialOfRequest } from "../../plugins/auth.ts";
import { Quota } from "../../requests/quota.ts";
import type { Services } from "../../services.ts";
import { type OperationRequest, readOperation } from "../operations/read-operation.ts";
import type { OpenSocket } from "./open-socket.ts";
import type { UnderWay } from "./under-way.ts";

/** What we know of a socket. */
export interface SocketExtra {
  /** That asked for it. */
  readonly request: FastifyRequest;
  readonly open: OpenSocket;
  readonly underWay: UnderWay;
  /** Called at its close. */
  readonly releases: (() => void)[];
  /** What it was let in with; null before its first message. */
  access: { readonly credential: Credential; readonly viewer: Viewer } | null;
}

export type InitPayload = Record<string, unknown> | undefined;
type SocketContext = Context<InitPayload, SocketExtra>;

/** Who may open a socket, and who asks on it: looked up again for every operation, as for every request. */
export class SocketGate {
  readonly #services: Services;
  readonly #perKey: Quota;

  constructor(services: Services) {
    this.#services = services;
    this.#perKey = new Quota("sockets open with this key (HOPWISE_SOCKETS_PER_KEY)", services.limits.socketsPerKey);
  }

  /** @returns whether it was let in; else it has been closed with the reason */
  async connect(context: SocketContext): Promise<boolean> {
    try {
      await this.#letIn(context);
      return true;
    } catch (error) {
      const { code, detail, status } = problemFrom(error);
      context.extra.open.close(closeCodeOf(status), `${code}: ${detail}`);
      return false;
    }
  }

  /** A key sent as `connectionParams: { authorization: "Bearer hw_…" }` takes the place of a header or cookie. */
  async #letIn({ extra, connectionParams }: SocketContext): Promise<void> {
    const { doorkeeper, access: watch } = this.#services;
    const authorization = connectionParams?.authorization;
    const credential =
      typeof authorization === "string" ? credentialOf({ authorization }) : credentialOfRequest(extra.request);
    if (!credential) throw authRequired();
    const viewer = await doorkeeper.admit(credential, extra.request.ip);
    const end = () => extra.open.close(CloseCode.Unauthorized, "AUTH_INVALID: the key or session is good no more.");
    extra.releases.push(this.#perKey.take(credential.hash), watch.hold(credential, viewer, end));
    extra.access = { credential, viewer };
  }

  /** Who asks, counted with the requests of the same key, and what for. */
  async operationOf({ access, open, request }: SocketExtra, asked: OperationRequest) {
    if (!access) throw authRequired();
    if (open.numUnderWay > limits.operationsPerSocket) {
      const detail = `${limits.operationsPerSocket} operations are under way on this socket; end one of them first.`;
      throw new AppError("REQUEST_RATE_LIMITED", detail);
    }
    const viewer = await this.#services.doorkeeper.admit(access.credential, request.ip);
    return { viewer, operation: readOperation(asked) };
  }
}

function closeCodeOf(status: number): number {
  if (status === 401) return CloseCode.Unauthorized;
  return status === 429 ? 1013 : CloseCode.InternalServerError;
}
