/** Codes of the system, Prisma and PostgreSQL for a server that is not there, not yet, or has just gone. */
const system = "ECONNREFUSED ECONNRESET EPIPE ENOENT ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN";
const prisma = "P1001 P1002 P1008 P1017 P2024";
const postgres = "57P01 57P02 57P03 08000 08001 08003 08006";
const lost = new Set(`${system} ${prisma} ${postgres}`.split(" "));
const saysSo =
  /^connect E|Connection terminated|Can't reach database server|Server has closed the connection|the database system is (starting up|shutting down)|terminating connection due to|Unable to start a transaction in the given time/;

/** Whether an error is that the database, or Redis, did not answer: nobody's fault here, and over when it is back. */
export function isLostConnection(error: unknown, depth = 0): boolean {
  if (typeof error !== "object" || error === null || depth > 4) return false;
  const { name, code, originalCode, message, cause, meta } = error as Partial<Record<Field, unknown>>;
  const isPrisma = typeof name === "string" && (name.startsWith("PrismaClient") || name === "DriverAdapterError");
  if ((isPrisma && lost.has(String(code))) || lost.has(String(originalCode))) return true;
  if (typeof message === "string" && saysSo.test(message)) return true;
  const driverError = (meta as { driverAdapterError?: unknown } | null | undefined)?.driverAdapterError;
  return isLostConnection(cause, depth + 1) || isLostConnection(driverError, depth + 1);
}

type Field = "name" | "code" | "originalCode" | "message" | "cause" | "meta";
