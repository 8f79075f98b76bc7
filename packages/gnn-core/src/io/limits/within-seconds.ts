import { type Limit, overLimit } from "./reading-limits.ts";

/**
 * Waits for work on a file, but no longer than allowed. The work itself goes on until its process ends or it is
 * interrupted.
 *
 * @throws GnnError DATASET_LIMIT_EXCEEDED
 */
export async function withinSeconds<T>(file: string, seconds: Limit, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    const tell = () => reject(overLimit(file, "it could not be read in the seconds allowed", seconds));
    timer = setTimeout(tell, Math.min(seconds.most * 1000, 2 ** 31 - 1));
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
    // Lost the race: its own failure, if it comes to one, is of no interest any more.
    work.catch(() => undefined);
  }
}
