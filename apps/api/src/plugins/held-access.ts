import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import type { AccessWatch } from "../auth/access-watch.ts";
import { credentialOfRequest, isUpgrade } from "./auth.ts";

interface HeldAccessOptions {
  readonly access: AccessWatch;
}

/**
 * Cuts off what a request still sends or receives (event streams, downloads, uploads) once its key or session is good
 * no more.
 */
export const heldAccessPlugin = fp(async (app: FastifyInstance, { access }: HeldAccessOptions) => {
  app.addHook("preClose", async () => access.stop());
  app.addHook("onRequest", async (request, reply) => {
    const credential = credentialOfRequest(request);
    // A socket outlives its request; the GraphQL plugin watches over it.
    if (request.viewer === null || credential === null || isUpgrade(request)) return;
    const release = access.hold(credential, request.viewer, () => cutOff(request, reply));
    reply.raw.once("close", release);
  });
});

/**
 * A request that has arrived and is about to be answered ends by itself; it may be the one that revokes its own key.
 */
function cutOff(request: FastifyRequest, reply: FastifyReply): void {
  if (request.raw.complete && !reply.raw.headersSent) return;
  request.log.info("cut off: the key or session is good no more");
  // Not the request: of one that was read to its end, destroying it leaves the connection alone.
  request.raw.socket.destroy();
}
