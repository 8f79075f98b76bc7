import { AppError, limits, sessionRoutes as routes } from "@hopwise/contracts";
import type { FastifyInstance } from "fastify";
import { issueSignInLink } from "../../auth/first-start.ts";
import { closeSession, openSession, sessionDays } from "../../auth/sessions.ts";
import { requireRole } from "../../auth/viewer.ts";
import type { Env } from "../../env.ts";
import { viewerOf } from "../../plugins/auth.ts";
import { RateWindow } from "../../requests/rate-window.ts";
import { serve } from "../../rest/serve.ts";
import type { Services } from "../../services.ts";

interface SessionOptions {
  readonly services: Services;
  readonly env: Env;
}

/** Signing in with the one-time link, and out. */
export async function sessionRoutes(app: FastifyInstance, { services, env }: SessionOptions): Promise<void> {
  const { prisma, doorkeeper } = services;
  serve(
    app,
    routes.signIn,
    async (request, reply) => {
      app.requireOwnPage(request); // else another page could sign its visitors in as somebody else
      const secret = await openSession(prisma, request.body.token);
      reply.setCookie(app.sessionCookie.name, secret, {
        ...app.sessionCookie.options,
        maxAge: sessionDays * 86_400,
      });
    },
    {
      config: { perAddress: new RateWindow("attempts to sign in from one address", 30) },
      // The one body that a stranger may send.
      bodyLimit: limits.signInBodyBytes,
    },
  );
  serve(app, routes.signOut, async (request, reply) => {
    const secret = request.cookies[app.sessionCookie.name];
    if (secret !== undefined) await closeSession(prisma, secret);
    doorkeeper.forgetRecent();
    reply.clearCookie(app.sessionCookie.name, app.sessionCookie.options);
  });
  serve(app, routes.createSignInLink, async (request) => {
    const viewer = viewerOf(request);
    requireRole(viewer, "ADMIN");
    if (viewer.projectId !== null)
      throw new AppError("AUTH_FORBIDDEN", "A key of one project cannot make sign-in links.");
    return { url: await issueSignInLink(prisma, env.data.secretsDir, env.server.publicUrl) };
  });
}
