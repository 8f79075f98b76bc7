import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type Problem, problemOf } from "@hopwise/contracts";

/**
 * Answers on its bare connection what Node's own parser refuses, before there is a request: as a problem like any
 * other.
 */
export function answerBadHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  if (socket.writable) socket.write(rawAnswer(problemOfHttp(error)));
  socket.destroy(error);
}

function problemOfHttp({ code, message }: Error & { code?: string }): Problem {
  if (code === "HPE_HEADER_OVERFLOW" || code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") {
    return problemOf("REQUEST_TOO_LARGE", "The request's headers are longer than this service reads; send fewer.");
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return problemOf("REQUEST_INVALID", "The request did not end in time; send it again, all of it at once.");
  }
  return problemOf("REQUEST_INVALID", `This is not HTTP as RFC 9112 has it: ${message.replace(/^Parse Error: /, "")}.`);
}

function rawAnswer(problem: Problem): string {
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
