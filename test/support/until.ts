const firstGapMs = 25;
const longestGapMs = 800;

/**
 * Looks again and again until it finds something, less often the longer it takes: looking costs the API the time that
 * the job needs. Says what it waited for when that does not come.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  seconds = 120,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  for (let gapMs = firstGapMs; ; gapMs = Math.min(longestGapMs, gapMs * 1.5)) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`waited ${seconds} s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, gapMs));
  }
}
