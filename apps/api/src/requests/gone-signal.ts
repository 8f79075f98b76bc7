import { AppError } from "@hopwise/contracts";
import type { FastifyReply } from "fastify";

/** Aborted with CANCELLED when the connection ends before the answer was sent. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once("close", () => {
    if (!raw.writableFinished) gone.abort(noLongerAsked());
  });
  return gone.signal;
}

export function noLongerAsked(): AppError {
  return new AppError("CANCELLED", "Whoever asked has gone before there was an answer.");
}
