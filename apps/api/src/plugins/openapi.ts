import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import fp from "fastify-plugin";
import { z } from "zod";
import { openScope } from "./auth.ts";

/** /openapi.json and its page at /docs, both from the routes' own schemas. */
export const openapiPlugin = fp(async (app: FastifyInstance) => {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Hopwise", version: "1", description: "Errors are application/problem+json; see docs/errors.md." },
      components: {
        securitySchemes: { apiKey: { type: "http", scheme: "bearer" } },
      },
      security: [{ apiKey: [] }],
    },
    hideUntagged: true,
    transform: ({ schema, url }) => ({ schema: toJsonSchema(schema ?? {}), url }),
  });
  await app.register(async (scope) => {
    openScope(scope);
    scope.get("/openapi.json", async () => app.swagger());
    await scope.register(swaggerUi, { routePrefix: "/docs", staticCSP: true });
  });
});

function toJsonSchema(schema: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).map(([part, value]) => [
      part,
      value instanceof z.ZodType ? z.toJSONSchema(value, { io: "input", target: "draft-2020-12" }) : value,
    ]),
  );
}
