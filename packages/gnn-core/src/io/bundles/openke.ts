import { join } from "node:path";
import { GnnError } from "../../errors/gnn-error.ts";
import { checkRows } from "../limits/reading-limits.ts";
import { assertWhole, compressionOf } from "../text-file.ts";
import { textLines } from "../text-lines.ts";
import type { Bundle, BundleContext, WrittenBundle } from "./bundle.ts";
import { writeLines } from "./ogb-rows.ts";

const ofOpenKe = /^(?:(.*)\/)?(train|valid|test|entity|relation)2id\.txt(?:\.gz)?$/;
const parts = ["train", "valid", "test"] as const;
const checkedLines = 16_384;

/**
 * Facts in OpenKE's layout among the names: `train2id.txt`, and with it `valid2id.txt`, `test2id.txt`, `entity2id.txt`
 * and `relation2id.txt` of its folder. Each begins with the number of its rows; a fact is its head, its *tail*, then
 * its relation, all numbered from 0.
 *
 * https://github.com/thunlp/OpenKE#data
 */
export function findOpenKe(names: readonly string[]): Bundle[] {
  const folders = new Map<string, Map<string, string>>();
  for (const name of names) {
    const [, folder = "", part] = ofOpenKe.exec(name) ?? [];
    if (part !== undefined) folders.set(folder, (folders.get(folder) ?? new Map<string, string>()).set(part, name));
  }
  const whole = [...folders.values()].filter((sources) => sources.has("train"));
  return whole.map((sources) => ({ anchor: sources.get("train") as string, sources, write: writeOpenKe }));
}

/** @throws GnnError DATASET_FORMAT_INVALID with file and line, DATASET_DUPLICATE, DATASET_LIMIT_EXCEEDED */
async function writeOpenKe(context: BundleContext): Promise<WrittenBundle> {
  const entities = await namesOf(context, "entity");
  const relations = await namesOf(context, "relation");
  const tables: string[] = [];
  for (const part of parts) {
    if ((await context.open(part)) === null) continue;
    await writeLines(join(context.dir, `${part}.csv`), factLines(context, part, entities, relations));
    tables.push(`${part}.csv`);
  }
  if (!entities) return { tables, notes: [] };
  await writeLines(join(context.dir, "nodes.csv"), entityLines(context, entities));
  return { tables: [...tables, "nodes.csv"], notes: [] };
}

/** Names by their numbers; null: there is no such file, and the numbers are the names. */
async function namesOf(context: BundleContext, part: "entity" | "relation"): Promise<string[] | null> {
  const file = await context.open(part);
  if (file === null) return null;
  const names: string[] = [];
  const lineOf = new Map<string, number>();
  let numNames = 0;
  for await (const { line, text, count } of countedLines(context, part, null)) {
    const [, name, digits] = /^(.*\S)\s+(\d{1,10})\s*$/.exec(text) ?? [];
    if (name === undefined || Number(digits) >= count)
      throw invalid(file.name, `found "${text.slice(0, 60)}", expected a name and its number below ${count}`, line);
    const before = names[Number(digits)] === undefined ? lineOf.get(name) : undefined;
    if (names[Number(digits)] !== undefined) throw twice(file.name, `the number ${digits}`, line);
    if (before !== undefined) throw twice(file.name, `the name ${JSON.stringify(name)}, also on line ${before},`, line);
    names[Number(digits)] = name;
    lineOf.set(name, line);
    checkRows(file.name, ++numNames, context.limits);
  }
  return names;
}

async function* entityLines({ sampleRows }: BundleContext, entities: readonly string[]) {
  yield "id\n";
  for (const name of entities.slice(0, sampleRows ?? entities.length)) yield `${quoted(name)}\n`;
}

async function* factLines(
  context: BundleContext,
  part: (typeof parts)[number],
  entities: readonly string[] | null,
  relations: readonly string[] | null,
) {
  yield "head,relation,tail\n";
  const file = (await context.open(part))!.name;
  for await (const { line, text } of countedLines(context, part, context.sampleRows)) {
    const fields = text.trim().split(/\s+/);
    if (fields.length !== 3 || !fields.every((field) => /^\d{1,10}$/.test(field)))
      throw invalid(
        file,
        `found "${text.slice(0, 60)}", expected the numbers of a head, a tail and their relation`,
        line,
      );
    const [head, tail, relation] = fields as [string, string, string];
    const nameIn = (names: readonly string[] | null, number: string, list: string) => {
      const name = names === null ? number : names[Number(number)];
      if (name === undefined)
        throw invalid(
          file,
          `${number} is no number of ${list}2id.txt, which has ${names!.length}. OpenKE writes the head, the tail, then the relation`,
          line,
        );
      return quoted(name);
    };
    const ends = [head, tail].map((end) => nameIn(entities, end, "entity"));
    yield `${ends[0]},${nameIn(relations, relation, "relation")},${ends[1]}\n`;
  }
}

/**
 * The rows of a file behind its first line, which counts them.
 *
 * @param most rows; null: all, and the file is looked through for damage before the first
 */
async function* countedLines({ open, limits, check }: BundleContext, part: string, most: number | null) {
  const { path, name: file } = (await open(part))!;
  const compression = await compressionOf(path);
  if (compression === "zstd") throw invalid(file, "it is packed with zstd; pack it with gzip, or not at all");
  if (most === null) await assertWhole(path, compression, file, limits);
  let count: number | null = null;
  let rows = 0;
  for await (const { line, text } of textLines(path, compression, file)) {
    if (line % checkedLines === 0) check(file);
    const content = text.replace(/^\ufeff/, "");
    if (content.trim() === "") continue;
    if (count === null) {
      if (!/^\s*\d{1,12}\s*$/.test(content))
        throw invalid(file, `found "${content.slice(0, 60)}", expected the number of rows that follow`, line);
      count = Number(content);
      checkRows(file, count, limits);
      continue;
    }
    if (++rows > count) throw invalid(file, `a row follows behind the ${count} that its first line counts`, line);
    yield { line, text: content, count };
    if (rows === most) return;
  }
  if (rows !== (count ?? -1))
    throw invalid(
      file,
      `it has ${rows} rows, and its first line counts ${count ?? "none"}; it is cut off, or was edited`,
    );
}

const quoted = (name: string) => (/[",\n\r]|^\s|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

function twice(file: string, what: string, line: number): GnnError {
  const message = `${file}, line ${line}: ${what} is there a second time. Every name has one number.`;
  return new GnnError("DATASET_DUPLICATE", message, { place: { file, line } });
}

function invalid(file: string, found: string, line?: number): GnnError {
  const at = line === undefined ? "" : `, line ${line}`;
  const message = `${file}${at}: ${found}. Expected facts in the layout of OpenKE.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file, ...(line !== undefined && { line }) } });
}
