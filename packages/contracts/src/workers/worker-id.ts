import { z } from "zod";

/** A worker's name. Nothing in it means anything in a key, a pattern, a URL or the name of a user of Redis. */
export const workerId = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, "expected 1 to 64 of A-Z a-z 0-9 . _ -");
