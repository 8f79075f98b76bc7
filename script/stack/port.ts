import { once } from "node:events";
import { createServer } from "node:net";

/** @throws Error saying what to do when the address cannot be listened on */
export async function requireFreePort(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const server = createServer();
  try {
    server.listen(Number(port || 80), hostname.replace(/^\[(.*)\]$/, "$1"));
    await once(server, "listening");
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    const message = `Cannot listen on ${url} (${why}). Stop what listens there or set HOPWISE_PORT.`;
    throw new Error(message, { cause: error });
  } finally {
    server.close();
  }
}
