import * as fc from "fast-check";

/** Texts that have broken programs before. */
const known = [
  "",
  " ",
  "\0",
  "a\0b",
  "\n",
  "\r\nx-injected: 1",
  "../../../../etc/passwd",
  "..%2f..%2fetc%2fpasswd",
  "....//....//",
  "C:\\windows\\win.ini",
  "/etc/passwd",
  "file:///etc/passwd",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "\ud800",
  "\udc00x",
  "\u202etxt.exe",
  "💥🦉",
  "e\u0301\u0301\u0301",
  "\ufeff",
  "\uffff",
  "NaN",
  "-1",
  "-0",
  "0",
  "1e309",
  "1e-400",
  "0x10",
  "1_000",
  "2147483648",
  "9007199254740993",
  "9223372036854775808",
  "-9223372036854775809",
  "18446744073709551616",
  "true",
  "null",
  "undefined",
  "[]",
  "{}",
  '\'; DROP TABLE "Job"; --',
  '" OR ""="',
  "%",
  "%00",
  "%zz",
  "%c0%ae",
  "_%",
  "\\",
  "$1",
  "{{7*7}}",
  "${7*7}",
  "<script>alert(1)</script>",
  "PT12H",
  "P1000000000Y",
  "PT0S",
  "2024-02-30T25:61:61Z",
  "+275760-09-13T00:00:00.001Z",
] as const;

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...known) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom("a", "%", "\u0301", "💥"), fc.nat({ max: 3 })).map(repeated) },
);

function repeated([text, exponent]: [string, number]): string {
  return text.repeat(10 ** exponent);
}

const numbers = [0, -0, -1, 1.5, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 63, 1e308, -1e308, 5e-324] as const;

/** Objects with keys that mean something to JavaScript. */
const trapped = ['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"x":1}}}', '{"toString":1}', '{"":{}}'];

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...numbers) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]]) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(...trapped).map((text) => JSON.parse(text) as unknown) },
  { weight: 1, arbitrary: fc.integer({ min: 5, max: 80 }).map(nestedLists) },
  { weight: 1, arbitrary: fc.integer({ min: 10, max: 5000 }).map((length) => Array.from({ length }, () => 1)) },
);

function nestedLists(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}

/** Texts that open a structure again and again, and mostly do not close it: what a recursive parser fails on. */
export const deepText: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(
      ["[", "]"],
      ['{"a":', "}"],
      ["{a: ", "}"],
      ["- ", ""],
      ["? ", ""],
      ["{x(y:{a:", "})}"],
      ['{"a":[', "]}"],
    ),
    fc.constantFrom(10, 100, 1000, 5000, 20_000, 100_000),
    fc.boolean(),
  )
  .map(
    ([[open = "", close = ""], depth, isClosed]) => open.repeat(depth) + (isClosed ? `1${close.repeat(depth)}` : ""),
  );
