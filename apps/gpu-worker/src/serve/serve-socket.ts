import { chmod, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { AppError, limits, problemFrom } from "@hopwise/contracts";
import type { Logger } from "../log.ts";
import { AtOnce, answerCall } from "./answer-call.ts";
import type { WarmRows } from "./warm-rows.ts";

/**
 * Answers the API's questions over HTTP on a unix socket that its owner alone can use: there are no keys, for whoever
 * reaches it has the files, too.
 */
export async function serveOnSocket(socket: string, warm: WarmRows, log: Logger): Promise<Server> {
  const atOnce = new AtOnce();
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    atOnce
      .during(async () => answerCall(warm, request.url ?? "", await readJson(request), gone.signal))
      .then(
        (answer) => send(response, 200, answer),
        (error: unknown) => {
          const problem = problemFrom(error);
          if (problem.status >= 500) log.error({ err: error, path: request.url }, "a question was not answered");
          request.resume();
          send(response, problem.status, problem);
        },
      );
  });
  await rm(socket, { force: true }); // of a process that was killed; the folder's lock says that none is left
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socket, resolve);
  });
  await chmod(socket, 0o600);
  return server;
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // What the API takes, and what it adds.
    if (bytes > limits.jsonBodyBytes + 16_384)
      throw new AppError("REQUEST_TOO_LARGE", `The body has over ${bytes} bytes.`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch (cause) {
    throw new AppError("REQUEST_INVALID", "The body is no JSON.", { cause });
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
}
