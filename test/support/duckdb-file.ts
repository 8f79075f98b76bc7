import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";

/**
 * A database that DuckDB itself writes; it is attached as `made` and in use.
 *
 * @param options of ATTACH; small blocks, for its smallest file has two of them
 */
export async function duckdbFile(sql: string, options = "BLOCK_SIZE 16384"): Promise<Buffer> {
  const dir = mkdtempSync(join(tmpdir(), "hopwise-duckdb-"));
  const path = join(dir, "made.duckdb");
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    await connection.run("SET force_mbedtls_unsafe = 'true'");
    await connection.run(`ATTACH '${path}' AS made (${options}); USE made`);
    await connection.run(sql);
    await connection.run("CHECKPOINT made; USE memory; DETACH made");
    return readFileSync(path);
  } finally {
    connection.closeSync();
    instance.closeSync();
    rmSync(dir, { recursive: true, force: true });
  }
}

const factor = 0xbf58476d1ce4e5b9n;
const headerBytes = 4096;
const checksumBytes = 8;

/** What DuckDB writes before a block: its words times a number, added up by exclusive or. */
function checksumOf(block: Buffer): bigint {
  let sum = 5381n;
  for (let at = checksumBytes; at < block.length; at += 8)
    sum ^= BigInt.asUintN(64, block.readBigUInt64LE(at) * factor);
  return sum;
}

/** The file with the sums of all that it consists of, so that nothing tells that it was changed. */
export function sealed(file: Uint8Array, blockBytes = 16_384): Buffer {
  const bytes = Buffer.from(file);
  const seal = (begin: number, length: number) => {
    const block = bytes.subarray(begin, begin + length);
    if (block.length === length) block.writeBigUInt64LE(checksumOf(block), 0);
  };
  for (let header = 0; header < 3; header++) seal(header * headerBytes, headerBytes);
  for (let at = 3 * headerBytes; at < bytes.length; at += blockBytes) seal(at, blockBytes);
  return bytes;
}

/** The file with its storage version changed, as somebody changes it who knows how it is checked. */
export function withStorageVersion(file: Buffer, version: bigint): Buffer {
  const bytes = Buffer.from(file);
  bytes.writeBigUInt64LE(version, 12);
  return sealed(bytes);
}
