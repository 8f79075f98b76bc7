import type { FastifyInstance, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { type DeadlineOptions, withinDeadline } from "../requests/within-deadline.ts";
import type { Services } from "../services.ts";
import { credentialOfRequest } from "./auth.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * Set on routes that compute or read much: a key has a few of them at once, the others wait, and there is a
     * deadline.
     */
    costly?: boolean;
  }
}

type Shared = Pick<Services, "slots" | "limits">;

/** Lets costly routes take turns with each other and with GraphQL operations. */
export const costlyRoutes = fp(async (app: FastifyInstance, { services }: { services: Shared }) => {
  app.addHook("onRoute", (route) => {
    if (!route.config?.costly) return;
    const { handler } = route;
    route.handler = function answer(request, reply) {
      return withinDeadline(deadlineOf(services, request), async () => handler.call(this, request, reply));
    };
  });
});

export function deadlineOf({ slots, limits }: Shared, request: FastifyRequest): DeadlineOptions {
  return { slots, owner: credentialOfRequest(request)?.hash ?? request.ip, seconds: limits.requestSeconds };
}
