import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { serviceRoutes } from "@hopwise/contracts";
import type { FastifyInstance } from "fastify";
import fp from "fastify-plugin";
import { openapiDocument } from "../rest/openapi.ts";
import { serve } from "../rest/serve.ts";
import { openScope } from "./auth.ts";

/** /openapi.json and its page at /docs, both from the contract that serves the routes. */
export const openapiPlugin = fp(async (app: FastifyInstance) => {
  const document = openapiDocument({ sessionCookie: app.sessionCookie.name });
  await app.register(swagger, { mode: "static", specification: { document: document as never } });
  serve(app, serviceRoutes.readOpenApi, async () => document);
  await app.register(async (scope) => {
    openScope(scope);
    await scope.register(swaggerUi, { routePrefix: "/docs", staticCSP: true });
  });
});
