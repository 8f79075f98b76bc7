import closeWithGrace from "close-with-grace";
import type { FastifyRequest } from "fastify";
import { buildApp } from "./app.ts";
import { type Env, readEnv } from "./env.ts";
import { logOutput } from "./log-output.ts";

/** Listens, and on SIGTERM or SIGINT ends what is under way before it goes. */
async function main(): Promise<void> {
  process.umask(0o077); // whatever it writes is its owner's alone
  const env = readEnv();
  const logger = {
    level: env.server.logLevel,
    stream: logOutput(),
    base: { service: "api" },
    // Errors of Redis carry the command that failed with all that was sent: of AUTH, the password.
    redact: ["err.command.args"],
    // A sign-in link carries its token in the query.
    serializers: { req: ({ method, url, ip }: FastifyRequest) => ({ method, path: url.split("?")[0], ip }) },
  };
  const { server, signInLink } = await buildApp({ env, logger });
  try {
    await server.listen({ host: env.server.host, port: env.server.port });
  } catch (error) {
    await server.close(); // else its connections keep a process alive that nobody can reach
    throw cannotListen(error, env.server);
  }
  // Not before: its handlers would end a start that failed with exit code 0.
  closeWithGrace({ delay: 10_000 }, async ({ err }) => {
    if (err) server.log.error({ err }, "stopping after an error");
    await server.close();
  });
  // It lets its reader in: not for an output that is kept.
  if (signInLink && env.server.printsSignInLink) process.stdout.write(`\n  Sign in once at ${signInLink}\n\n`);
}

/** What to do about an address that cannot be had; other errors as they are. */
function cannotListen(error: unknown, { host, port }: Env["server"]): unknown {
  if (!(error instanceof Error && "syscall" in error && error.syscall === "listen" && "code" in error)) return error;
  const message = `Cannot listen on ${host}, port ${port} (${String(error.code)}). Stop what listens there or set HOPWISE_PORT.`;
  return new Error(message, { cause: error });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
