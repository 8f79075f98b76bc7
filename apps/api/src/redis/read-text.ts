import type { Redis } from "ioredis";

/**
 * The text under a key that a worker writes, of at most so many bytes: a longer one is cut, and so is no JSON any more.
 * Null when there is none, or when something else is under the key.
 */
export async function readText(redis: Redis, key: string, bytes: number): Promise<string | null> {
  try {
    return (await redis.getrange(key, 0, bytes - 1)) || null;
  } catch (error) {
    if (isWrongType(error)) return null;
    throw error;
  }
}

/** Something else than the command is for is under the key. */
export function isWrongType(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("WRONGTYPE");
}
