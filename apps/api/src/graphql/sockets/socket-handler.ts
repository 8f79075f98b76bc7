import websocket from "@fastify/websocket";
import { AppError, limits } from "@hopwise/contracts";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { handleProtocols } from "graphql-ws";
import type { WebSocket } from "ws";
import { parseBoundedJson } from "../../input/parse-json.ts";
import { addressBlock } from "../../requests/address-block.ts";
import { Quota } from "../../requests/quota.ts";
import { RateWindow } from "../../requests/rate-window.ts";
import type { Services } from "../../services.ts";
import { OpenSocket } from "./open-socket.ts";
import type { SocketExtra } from "./socket-gate.ts";
import { socketServer } from "./socket-server.ts";
import { UnderWay } from "./under-way.ts";

/** Lets the routes of this scope be asked for a socket. */
export async function registerGraphqlSockets(scope: FastifyInstance): Promise<void> {
  await scope.register(websocket, { options: { maxPayload: limits.jsonBodyBytes, handleProtocols } });
}

/** What happens to a new socket at /graphql: it is let in where there is room, and let go of at its close. */
export function socketHandler(services: Services): (socket: WebSocket, request: FastifyRequest) => void {
  const { limits: set } = services;
  const inAll = new Quota("sockets open (HOPWISE_SOCKETS)", set.sockets);
  const perAddress = new Quota("sockets open from this address (HOPWISE_SOCKETS_PER_ADDRESS)", set.socketsPerAddress);
  const server = socketServer(services);
  return (socket, request) => {
    const releases: (() => void)[] = [];
    socket.once("close", () => {
      for (const release of releases) release();
    });
    // Without a listener an error of the connection would end the process; its close follows.
    socket.on("error", (err) => request.log.info({ err }, "a socket failed"));
    const messages = new RateWindow("messages on a socket", set.requestsPerMinute);
    const underWay = new UnderWay();
    releases.push(() => underWay.close());
    const admit = (text: string) => {
      messages.count("");
      underWay.note(parseBoundedJson(text)); // an operation with a text that cannot be stored is answered by itself
    };
    const open = new OpenSocket(socket, { admit, log: request.log });
    const extra: SocketExtra = { request, open, underWay, releases, access: null };
    try {
      releases.push(inAll.take(""), perAddress.take(addressBlock(request.ip)));
    } catch (error) {
      return open.close(1013, error instanceof AppError ? error.message : "Try again later.");
    }
    const closed = server.opened(open.transport, extra);
    socket.once("close", (code, reason) => {
      closed(code, String(reason)).catch((err: unknown) => request.log.error({ err }, "a socket was not cleared away"));
    });
  };
}
