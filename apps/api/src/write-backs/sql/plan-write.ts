import { AppError } from "@hopwise/contracts";
import type { TableWrite } from "../table-write.ts";
import { quoted } from "./identifier.ts";
import type { TargetTable } from "./target-table.ts";
import type { VectorForm } from "./vector-text.ts";

/** How rows are written into what is there. */
export interface WritePlan {
  /** `"schema"."table"` */
  readonly into: string;
  /** null: no column holds vectors */
  readonly form: VectorForm | null;
  /** In the order of the export's lines, as they stand in statements */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Names of those that tell rows apart, as they stand in statements; none: rows may be alike */
  readonly key: readonly string[];
}

/** pgvector's own limit, and about what a row of a page of 8 KiB takes of columns of four bytes. */
const mostOfVector = 16_000;
const mostColumns = 1500;

const types = { int64: "bigint", text: "text", int32: "integer", float32: "real" } as const;

/**
 * What the columns are called and typed.
 *
 * @param target      what is there; null: the table is made
 * @param vectorType  pgvector's, null where the database has it not
 * @throws AppError WRITE_BACK_TABLE
 */
export function planWrite(write: TableWrite, target: TargetTable | null, vectorType: string | null): WritePlan {
  const { schema, table, shape } = write;
  const named = namesOf(write);
  const vector = shape.columns.find(({ type }) => type === "vector");
  const form = vector ? formOf(write, named(vector.name), vector.dim ?? 0, target, vectorType) : null;
  const columns = shape.columns.flatMap(({ name, type, dim }) => {
    if (type !== "vector") return [{ name: named(name), type: types[type] }];
    if (form === "columns")
      return Array.from({ length: dim ?? 0 }, (_, i) => ({ name: `${named(name)}_${i}`, type: types.float32 }));
    return [{ name: named(name), type: form === "array" ? "real[]" : `${vectorType}(${dim})` }];
  });
  requireDifferent(columns);
  if (target) requireColumns(target, columns, `${schema}.${table}`);
  return {
    into: `${quoted(schema)}.${quoted(table)}`,
    form,
    columns: columns.map(({ name, type }) => ({ name: quoted(name), type })),
    key: shape.key.map((name) => quoted(named(name))),
  };
}

/**
 * What a column of the export is to be called.
 *
 * @throws AppError WRITE_BACK_TABLE when another name is given to a column that there is not
 */
function namesOf({ shape, names }: TableWrite): (name: string) => string {
  const known = shape.columns.map(({ name }) => name);
  const unknown = Object.keys(names).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new AppError(
      "WRITE_BACK_TABLE",
      `There is no column ${JSON.stringify(unknown)} to be called otherwise; expected one of ${known.join(", ")}.`,
    );
  return (name) => (Object.hasOwn(names, name) ? (names[name] ?? name) : name);
}

function formOf(
  { vector, mode }: TableWrite,
  name: string,
  dim: number,
  target: TargetTable | null,
  vectorType: string | null,
): VectorForm {
  const found = target?.columns.get(name);
  const fits = vectorType !== null && dim <= mostOfVector;
  const form = vector === "auto" ? (found?.form ?? (fits ? "vector" : "array")) : vector;
  if (form === "columns" && dim > mostColumns)
    throw wrong(`the vectors have ${dim} numbers, and a table has room for about ${mostColumns} columns; choose array`);
  if (form !== "columns" && target && found?.form !== form)
    throw wrong(
      `its column ${JSON.stringify(name)} is ${found ? `of the type ${found.type}` : "missing"}, expected ${form === "array" ? "real[]" : `vector(${dim})`}; name another column or table, or drop it to have it made (${mode})`,
    );
  if (form === "vector" && !target && !fits)
    throw wrong(
      vectorType === null
        ? "the database has no extension vector (pgvector); run CREATE EXTENSION vector there, or choose array"
        : `the vectors have ${dim} numbers, and pgvector takes ${mostOfVector}; choose array`,
    );
  return form;
}

function requireDifferent(columns: WritePlan["columns"]): void {
  const names = new Set<string>();
  for (const { name } of columns) {
    if (names.has(name)) throw wrong(`two columns would be called ${JSON.stringify(name)}; give one another name`);
    names.add(name);
  }
}

function requireColumns({ kind, columns: there }: TargetTable, columns: WritePlan["columns"], shown: string): void {
  if (kind !== "r" && kind !== "p") throw wrong(`${JSON.stringify(shown)} is there and is no table but a view or such`);
  const missing = columns.find(({ name }) => !there.has(name));
  if (!missing) return;
  const found = [...there.keys()].slice(0, 20).join(", ");
  throw wrong(
    `it has no column ${JSON.stringify(missing.name)} but ${found}; give the columns the names that it has, or drop the table to have it made`,
  );
}

function wrong(found: string): AppError {
  return new AppError("WRITE_BACK_TABLE", `The rows cannot be written into the table: ${found}.`);
}
