import { AppError, limits } from "@hopwise/contracts";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { issueSignInLink } from "../../auth/first-start.ts";
import { closeSession, openSession, sessionDays } from "../../auth/sessions.ts";
import { requireRole } from "../../auth/viewer.ts";
import type { Env } from "../../env.ts";
import { viewerOf } from "../../plugins/auth.ts";
import { RateWindow } from "../../requests/rate-window.ts";
import type { Services } from "../../services.ts";

const body = z.strictObject({ token: z.string().min(1).max(200).describe("From the sign-in link") });

interface SessionOptions {
  readonly services: Services;
  readonly env: Env;
}

/** Signing in with the one-time link, and out. */
export async function sessionRoutes(app: FastifyInstance, { services, env }: SessionOptions): Promise<void> {
  const { prisma } = services;
  const tags = ["session"];
  const config = { access: "open" as const, perAddress: new RateWindow("attempts to sign in from one address", 30) };
  app.post<{ Body: z.infer<typeof body> }>(
    "/v1/session",
    // The one body that a stranger may send.
    { config, bodyLimit: limits.signInBodyBytes, schema: { tags, body } },
    async (request, reply) => {
      app.requireOwnPage(request); // else another page could sign its visitors in as somebody else
      const secret = await openSession(prisma, request.body.token);
      reply.setCookie(app.sessionCookie.name, secret, {
        ...app.sessionCookie.options,
        maxAge: sessionDays * 86_400,
      });
      return reply.code(204).send();
    },
  );
  app.delete("/v1/session", { schema: { tags } }, async (request, reply) => {
    const secret = request.cookies[app.sessionCookie.name];
    if (secret !== undefined) await closeSession(prisma, secret);
    return reply.clearCookie(app.sessionCookie.name, app.sessionCookie.options).code(204).send();
  });
  app.post("/v1/sign-in-links", { schema: { tags } }, async (request, reply) => {
    const viewer = viewerOf(request);
    requireRole(viewer, "ADMIN");
    if (viewer.projectId !== null)
      throw new AppError("AUTH_FORBIDDEN", "A key of one project cannot make sign-in links.");
    return reply.code(201).send({ url: await issueSignInLink(prisma, env.data.secretsDir, env.server.publicUrl) });
  });
}
