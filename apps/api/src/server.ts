import closeWithGrace from "close-with-grace";
import type { FastifyRequest } from "fastify";
import { buildApp } from "./app.ts";
import { readEnv } from "./env.ts";

/** Listens, and on SIGTERM or SIGINT ends what is under way before it goes. */
async function main(): Promise<void> {
  const env = readEnv();
  const logger = {
    level: env.server.logLevel,
    base: { service: "api" },
    // A sign-in link carries its token in the query.
    serializers: { req: ({ method, url, ip }: FastifyRequest) => ({ method, path: url.split("?")[0], ip }) },
  };
  const { server, signInLink } = await buildApp({ env, logger });
  try {
    await server.listen({ host: env.server.host, port: env.server.port });
  } catch (error) {
    await server.close(); // else its connections keep a process alive that nobody can reach
    throw error;
  }
  // Not before: its handlers would end a start that failed with exit code 0.
  closeWithGrace({ delay: 10_000 }, async ({ err }) => {
    if (err) server.log.error({ err }, "stopping after an error");
    await server.close();
  });
  // To the terminal, never to the log: it lets its reader in.
  if (signInLink) process.stdout.write(`\n  Sign in once at ${signInLink}\n\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
