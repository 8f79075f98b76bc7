/** What a file's bytes are made of, written without a library so that they may lie. */
type Field = readonly [id: number, type: number, value: Uint8Array];

const int32 = 5;
const int64 = 6;
const binary = 8;
const list = 9;
const struct = 12;

/** Thrift's variable-length integer. */
function varint(value: number | bigint): Uint8Array {
  const bytes: number[] = [];
  let left = BigInt(value);
  for (; left > 127n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
  return Uint8Array.from([...bytes, Number(left)]);
}

function zigzag(value: number): Uint8Array {
  return varint(BigInt(value) * 2n);
}

function text(value: string): Uint8Array {
  return Buffer.concat([varint(Buffer.byteLength(value)), Buffer.from(value)]);
}

/** A struct of Thrift's compact protocol. */
function structOf(...fields: readonly Field[]): Uint8Array {
  let last = 0;
  const parts = fields.flatMap(([id, type, value]) => {
    const head = Uint8Array.from([((id - last) << 4) | type]);
    last = id;
    return [head, value];
  });
  return Buffer.concat([...parts, Uint8Array.from([0])]);
}

function listOf(type: number, items: readonly Uint8Array[]): Uint8Array {
  const head =
    items.length < 15 ? Uint8Array.from([(items.length << 4) | type]) : [0xf0 | type, ...varint(items.length)];
  return Buffer.concat([Uint8Array.from(head), ...items]);
}

function fileOf(body: Uint8Array, footer: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([Buffer.from("PAR1"), body, footer, length, Buffer.from("PAR1")]);
}

/** A page and its header: all `count` values are the one of the dictionary, said in a single run. */
function runOf(count: number): Uint8Array {
  const payload = Buffer.concat([Uint8Array.from([1]), varint(BigInt(count) * 2n), Uint8Array.from([0])]);
  const data = structOf([1, int32, zigzag(count)], [2, int32, zigzag(8)], [3, int32, zigzag(3)], [4, int32, zigzag(3)]);
  const size = zigzag(payload.length);
  return Buffer.concat([
    structOf([1, int32, zigzag(0)], [2, int32, size], [3, int32, size], [5, struct, data]),
    payload,
  ]);
}

function dictionaryOfOne(): Uint8Array {
  const payload = Buffer.alloc(8, 0);
  payload[0] = 7;
  const dictionary = structOf([1, int32, zigzag(1)], [2, int32, zigzag(0)]);
  const size = zigzag(8);
  return Buffer.concat([
    structOf([1, int32, zigzag(2)], [2, int32, size], [3, int32, size], [7, struct, dictionary]),
    payload,
  ]);
}

/** A valid Parquet file of some hundred bytes whose integer columns have `numRows` rows, every value 7. */
export function constantParquet(columns: readonly string[], numRows: number): Uint8Array {
  const chunk = Buffer.concat([dictionaryOfOne(), runOf(numRows)]);
  const pageStart = dictionaryOfOne().length;
  const schema = [
    structOf([4, binary, text("schema")], [5, int32, zigzag(columns.length)]),
    ...columns.map((name) => structOf([1, int32, zigzag(2)], [3, int32, zigzag(0)], [4, binary, text(name)])),
  ];
  const chunks = columns.map((name, i) => {
    const start = 4 + i * chunk.length;
    const meta = structOf(
      [1, int32, zigzag(2)],
      [2, list, listOf(int32, [zigzag(8)])],
      [3, list, listOf(binary, [text(name)])],
      [4, int32, zigzag(0)],
      [5, int64, zigzag(numRows)],
      [6, int64, zigzag(chunk.length)],
      [7, int64, zigzag(chunk.length)],
      [9, int64, zigzag(start + pageStart)],
      [11, int64, zigzag(start)],
    );
    return structOf([2, int64, zigzag(start)], [3, struct, meta]);
  });
  const group = structOf(
    [1, list, listOf(struct, chunks)],
    [2, int64, zigzag(chunk.length * columns.length)],
    [3, int64, zigzag(numRows)],
  );
  const footer = structOf(
    [1, int32, zigzag(1)],
    [2, list, listOf(struct, schema)],
    [3, int64, zigzag(numRows)],
    [4, list, listOf(struct, [group])],
  );
  return fileOf(Buffer.concat(columns.map(() => chunk)), footer);
}

/** A Parquet file without rows whose one column is a struct in a struct in a struct … */
export function nestedParquet(depth: number): Uint8Array {
  const group = (name: string) => structOf([3, int32, zigzag(0)], [4, binary, text(name)], [5, int32, zigzag(1)]);
  const schema = [
    ...Array.from({ length: depth }, (_, i) => group(i === 0 ? "schema" : "s")),
    structOf([1, int32, zigzag(2)], [3, int32, zigzag(0)], [4, binary, text("leaf")]),
  ];
  const footer = structOf(
    [1, int32, zigzag(1)],
    [2, list, listOf(struct, schema)],
    [3, int64, zigzag(0)],
    [4, list, listOf(struct, [])],
  );
  return fileOf(new Uint8Array(), footer);
}

/** A Parquet file whose footer opens structs inside structs, in a field that no version of the format has. */
export function nestedFooter(depth: number): Uint8Array {
  return fileOf(new Uint8Array(), new Uint8Array(depth).fill((15 << 4) | struct));
}
