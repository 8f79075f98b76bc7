const canonical = /^(?:0|-?[1-9]\d{0,18})$/;
const min = -(2n ** 63n);
const max = 2n ** 63n - 1n;

/**
 * Whether the text is exactly how an int64 prints: `7` and `-3`, but not `007`, `+7`, `-0`, `1e5` or 2^63. Such
 * ids survive the way to int64 and back unchanged.
 */
export function isCanonicalInt64(text: string): boolean {
  if (!canonical.test(text)) return false;
  if (text.length < 19) return true;
  const value = BigInt(text);
  return value >= min && value <= max;
}
