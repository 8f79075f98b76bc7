import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import fp from "fastify-plugin";
import { problemFromRequest } from "../errors/problem-from-request.ts";
import { openScope } from "./auth.ts";
import { noSuchRoute, sendProblem } from "./errors.ts";

const ownedByApi = /^\/(v1|graphql|graphql-page|docs|metrics|healthz|readyz|openapi\.json)(\/|\?|$)/;

/** The built dashboard. Its own addresses are answered with the page, everything else unknown with a problem. */
export const webPlugin = fp(async (app: FastifyInstance, { webDist }: { webDist: string }) => {
  const isBuilt = existsSync(join(webDist, "index.html"));
  if (isBuilt) {
    await app.register(async (scope) => {
      openScope(scope);
      await scope.register(fastifyStatic, {
        root: webDist,
        wildcard: false,
        // The build has written each file also as brotli and gzip; they have no addresses of their own.
        preCompressed: true,
        globIgnore: ["**/*.br", "**/*.gz"],
        // File names carry a hash of their content; the page itself must be asked for again.
        setHeaders: (reply, path) => {
          const isHashed = path.includes("/assets/");
          reply.header("cache-control", isHashed ? "public, max-age=31536000, immutable" : "no-cache");
        },
      });
      scope.get("/*", async (request, reply) =>
        isPage(request) ? reply.sendFile("index.html") : reply.callNotFound(),
      );
    });
  } else {
    app.log.warn({ webDist }, "the dashboard is not built; serving the API only");
  }
  app.setNotFoundHandler((request, reply) =>
    sendProblem(reply, problemFromRequest(noSuchRoute(request.method, request.url)), request.url),
  );
});

function isPage({ url, headers }: { url: string; headers: { accept?: string | undefined } }): boolean {
  return !ownedByApi.test(url) && (headers.accept ?? "").includes("text/html");
}
