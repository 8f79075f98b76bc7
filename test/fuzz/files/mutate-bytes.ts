import type { Dice } from "../dice.ts";

const extremes = ["0", "-1", "2147483648", "4294967295", "9223372036854775807", "99999999999999999999", "1e999", "nan"];

/** The bytes with one to four places of them changed. */
export function mutateBytes(dice: Dice, bytes: Uint8Array): Uint8Array {
  let mutated = Buffer.from(bytes);
  for (let i = dice.pick([1, 1, 1, 2, 4]); i > 0; i--) mutated = changed(dice, mutated);
  return mutated;
}

function changed(dice: Dice, bytes: Buffer): Buffer<ArrayBuffer> {
  const at = dice.integer(bytes.length + 1);
  const to = Math.min(bytes.length, at + 1 + dice.integer(64));
  const before = bytes.subarray(0, at);
  const here = bytes.subarray(at, to);
  const after = bytes.subarray(to);
  // One byte is what a sound structure is most likely to survive.
  if (dice.chance(0.3))
    return Buffer.concat([before, here.subarray(0, 1).map(() => dice.integer(256)), here.subarray(1), after]);
  switch (dice.integer(8)) {
    case 0:
      return Buffer.concat([before, here.map((byte) => byte ^ (1 << dice.integer(8))), after]);
    case 1:
      return Buffer.from(before);
    case 2:
      return Buffer.concat([before, after]);
    case 3:
      return Buffer.concat([before, ...dice.times(dice.pick([2, 10, 1000]), () => here), after]);
    case 4:
      return Buffer.concat([before, Buffer.from(dice.hostileText()), here, after]);
    case 5:
      return Buffer.concat([before, extremeWord(dice), after.subarray(8)]);
    case 6:
      return withNumber(dice, bytes);
    default:
      return Buffer.concat([after, here, before]);
  }
}

/** What lengths and offsets of binary formats do not expect. */
function extremeWord(dice: Dice): Buffer {
  const word = Buffer.alloc(8);
  word.writeBigUInt64LE(dice.pick([0n, 1n, 0xffffffffn, 0x7fffffffn, 2n ** 63n - 1n, 2n ** 64n - 1n, 2n ** 40n]));
  return word;
}

/** One of the numbers that stand there in digits becomes another. */
function withNumber(dice: Dice, bytes: Buffer): Buffer<ArrayBuffer> {
  const text = bytes.toString("latin1");
  const numbers = [...text.matchAll(/\d+/g)];
  if (numbers.length === 0) return Buffer.from(bytes);
  const { index, 0: digits } = dice.pick(numbers);
  return Buffer.from(text.slice(0, index) + dice.pick(extremes) + text.slice(index + digits.length), "latin1");
}
