import { PickleBytes, PickleError } from "./pickle-bytes.ts";
import { knownGlobal } from "./pickle-globals.ts";
import { PickleDict, PickleGlobal, PickleObject, type PickleValue } from "./pickle-values.ts";

/** On the stack below the items of the list, tuple or dict that is being filled */
const mark = Symbol("mark");
type Item = PickleValue | typeof mark;
type Code = (machine: PickleMachine) => void;

/**
 * Reads a pickle of protocol 2 to 5 as data. A pickle is a program for a small stack machine that may call anything;
 * here classes and functions are names out of a short list, a call is an entry in a tree, and nothing is run.
 *
 * https://github.com/python/cpython/blob/main/Lib/pickletools.py
 *
 * @param maxItems values, beside those in arrays' bytes, that are kept at most
 * @throws PickleError naming the class or function, or the instruction, that is not taken
 */
export function readPickle(bytes: Uint8Array, maxItems: number): PickleValue {
  const machine = new PickleMachine(new PickleBytes(bytes), maxItems);
  if (machine.bytes.byte() !== 0x80) throw new PickleError("it is a pickle in text, of protocol 0 or 1");
  const protocol = machine.bytes.byte();
  if (protocol < 2 || protocol > 5) throw new PickleError(`its protocol is ${protocol}`);
  for (;;) {
    const at = machine.bytes.at;
    const code = machine.bytes.byte();
    if (code === 0x2e) return machine.result();
    const run = codes.get(code);
    if (!run) throw new PickleError(`the instruction 0x${code.toString(16)} at byte ${at} is not read`);
    run(machine);
  }
}

class PickleMachine {
  readonly bytes: PickleBytes;
  readonly #stack: Item[] = [];
  readonly #memo = new Map<number, PickleValue>();
  readonly #maxItems: number;
  readonly #encoded = new Map<string, Uint8Array>();
  #numItems = 0;

  constructor(bytes: PickleBytes, maxItems: number) {
    this.bytes = bytes;
    this.#maxItems = maxItems;
  }

  push(item: Item): void {
    if (++this.#numItems > this.#maxItems) throw new PickleError(`it holds more than ${this.#maxItems} values`);
    this.#stack.push(item);
  }

  pop(): PickleValue {
    const item = this.#stack.pop();
    if (item === undefined || item === mark) throw new PickleError("its instructions do not fit together");
    return item;
  }

  top(): PickleValue {
    const item = this.pop();
    this.#stack.push(item);
    return item;
  }

  popToMark(): PickleValue[] {
    const from = this.#stack.lastIndexOf(mark);
    if (from < 0) throw new PickleError("its instructions do not fit together");
    return this.#stack.splice(from).slice(1) as PickleValue[];
  }

  popMany(count: number): PickleValue[] {
    return Array.from({ length: count }, () => this.pop()).toReversed();
  }

  remember(key = this.#memo.size): void {
    if (this.#memo.size >= this.#maxItems) throw new PickleError(`it remembers more than ${this.#maxItems} values`);
    this.#memo.set(key, this.top());
  }

  recall(key: number): void {
    const value = this.#memo.get(key);
    if (value === undefined) throw new PickleError("it recalls a value that it does not have");
    this.push(value);
  }

  /** The bytes of a text: made once, or a text that is recalled again and again would fill the memory. */
  encoded(text: string): Uint8Array {
    const bytes = this.#encoded.get(text) ?? Buffer.from(text, "latin1");
    this.#encoded.set(text, bytes);
    return bytes;
  }

  result(): PickleValue {
    const value = this.pop();
    if (this.#stack.length > 0) throw new PickleError("its instructions do not fit together");
    return value;
  }
}

function textOf(bytes: Uint8Array, encoding: "latin1" | "utf8" = "utf8"): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding);
}

function global(module: string, name: string): PickleGlobal {
  const known = knownGlobal(`${module}.${name}`);
  if (known === undefined) throw new PickleError(`it would run ${`${module}.${name}`.slice(0, 100)}`);
  return new PickleGlobal(known);
}

function stackGlobal(machine: PickleMachine): PickleGlobal {
  const [module, name] = machine.popMany(2);
  if (typeof module !== "string" || typeof name !== "string") throw new PickleError("a class in it has no name");
  return global(module, name);
}

/** What stands for a call; those that only wrap what they are given are that. */
function called(machine: PickleMachine, made: PickleValue, args: PickleValue): PickleValue {
  if (!(made instanceof PickleGlobal) || !Array.isArray(args)) throw new PickleError("it calls what is no function");
  const [first] = args as readonly PickleValue[];
  // Python 3 writes the bytes of arrays in protocol 2 as text, to be encoded again.
  if (made.name === "encode" && typeof first === "string") return machine.encoded(first);
  const isWrapped = made.name === "reconstruct" || made.name === "newObject";
  if (!isWrapped) return new PickleObject(made.name, args);
  if (!(first instanceof PickleGlobal)) throw new PickleError("it makes an object of no class");
  return new PickleObject(first.name, args.slice(1));
}

function append(target: PickleValue, items: readonly PickleValue[]): void {
  const list = target instanceof PickleObject ? target.list : target;
  if (!Array.isArray(list)) throw new PickleError("it appends to what is no list");
  for (const item of items) list.push(item);
}

function setItems(target: PickleValue, items: readonly PickleValue[]): void {
  const dict = target instanceof PickleObject ? target.items : target;
  if (!(dict instanceof PickleDict) || items.length % 2 > 0) throw new PickleError("it sets items of what is no dict");
  for (let i = 0; i < items.length; i += 2) dict.items.set(items[i]!, items[i + 1]!);
}

function build(machine: PickleMachine): void {
  const state = machine.pop();
  const target = machine.top();
  if (!(target instanceof PickleObject)) throw new PickleError("it gives a state to what is no object");
  target.state = state;
}

/** Little-endian two's complement of any length */
function longOf(bytes: Uint8Array): number | bigint {
  if (bytes.length > 8) throw new PickleError(`a whole number in it has ${bytes.length} bytes`);
  let value = 0n;
  for (const byte of bytes.toReversed()) value = (value << 8n) | BigInt(byte);
  const signed = BigInt.asIntN(8 * bytes.length, value);
  return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed;
}

function dictOf(items: readonly PickleValue[]): PickleDict {
  const dict = new PickleDict();
  setItems(dict, items);
  return dict;
}

const codes = new Map<number, Code>(
  (
    [
      ["(", (m) => m.push(mark)],
      ["0", (m) => void m.pop()],
      ["1", (m) => void m.popToMark()],
      ["N", (m) => m.push(null)],
      ["\x88", (m) => m.push(true)],
      ["\x89", (m) => m.push(false)],
      ["J", (m) => m.push(m.bytes.int32())],
      ["K", (m) => m.push(m.bytes.byte())],
      ["M", (m) => m.push(m.bytes.uint16())],
      ["\x8a", (m) => m.push(longOf(m.bytes.take(m.bytes.byte())))],
      ["G", (m) => m.push(m.bytes.float64())],
      // Python 2's str: text or the bytes of an array.
      ["T", (m) => m.push(textOf(m.bytes.take(m.bytes.uint32()), "latin1"))],
      ["U", (m) => m.push(textOf(m.bytes.take(m.bytes.byte()), "latin1"))],
      ["X", (m) => m.push(textOf(m.bytes.take(m.bytes.uint32())))],
      ["\x8c", (m) => m.push(textOf(m.bytes.take(m.bytes.byte())))],
      ["\x8d", (m) => m.push(textOf(m.bytes.take(m.bytes.length())))],
      ["B", (m) => m.push(m.bytes.take(m.bytes.uint32()))],
      ["C", (m) => m.push(m.bytes.take(m.bytes.byte()))],
      ["\x8e", (m) => m.push(m.bytes.take(m.bytes.length()))],
      ["\x96", (m) => m.push(m.bytes.take(m.bytes.length()))],
      ["]", (m) => m.push([])],
      ["a", (m) => appendTo(m, [m.pop()])],
      ["e", (m) => appendTo(m, m.popToMark())],
      ["l", (m) => m.push(m.popToMark())],
      ["}", (m) => m.push(new PickleDict())],
      ["d", (m) => m.push(dictOf(m.popToMark()))],
      ["s", (m) => setItemsOf(m, m.popMany(2))],
      ["u", (m) => setItemsOf(m, m.popToMark())],
      [")", (m) => m.push([])],
      ["t", (m) => m.push(m.popToMark())],
      ["\x85", (m) => m.push(m.popMany(1))],
      ["\x86", (m) => m.push(m.popMany(2))],
      ["\x87", (m) => m.push(m.popMany(3))],
      ["c", (m) => m.push(global(m.bytes.line(), m.bytes.line()))],
      ["\x93", (m) => m.push(stackGlobal(m))],
      ["R", (m) => call(m)],
      ["\x81", (m) => call(m)],
      ["b", build],
      ["q", (m) => m.remember(m.bytes.byte())],
      ["r", (m) => m.remember(m.bytes.uint32())],
      ["\x94", (m) => m.remember()],
      ["h", (m) => m.recall(m.bytes.byte())],
      ["j", (m) => m.recall(m.bytes.uint32())],
      // The length of a frame, which is a hint for reading files piece by piece.
      ["\x95", (m) => void m.bytes.length()],
    ] satisfies [string, Code][]
  ).map(([code, run]) => [code.charCodeAt(0), run]),
);

function appendTo(machine: PickleMachine, items: readonly PickleValue[]): void {
  append(machine.top(), items);
}

function setItemsOf(machine: PickleMachine, items: readonly PickleValue[]): void {
  setItems(machine.top(), items);
}

function call(machine: PickleMachine): void {
  const [made, args] = machine.popMany(2) as [PickleValue, PickleValue];
  machine.push(called(machine, made, args));
}
