import { splitOf, splitWords } from "../ingest/split-words.ts";
import { isNo, isYes } from "../ingest/yes-no.ts";
import { usualMissingLabels } from "../missing-labels.ts";
import { saysMissing } from "../missing-words.ts";
import type { ColumnInfo } from "../table-source.ts";
import { baseName } from "./base-name.ts";
import { columnNamed, columnNames, isFeatureName, isVectorName, plainName } from "./column-names.ts";
import { areDistinct, areNearlyDistinct, isNumeric, overlap, valuesOf } from "./column-values.ts";
import { gapsNote, isFeatureWithGaps } from "./gaps.ts";
import { namelessColumns } from "./nameless.ts";
import type { ColumnRole, FileRoles, SampledFile } from "./sampled-file.ts";
import { type SeveralTypes, severalTypes } from "./several-types.ts";

type Rows = readonly (readonly string[])[];

/** The roles of a table of nodes and, where the split column has words of its own, what they mean. */
export interface NodeRoles extends FileRoles {
  readonly splitWords: Readonly<Record<string, "train" | "val" | "test">>;
  readonly missingLabels: readonly string[];
  /** null: a node has one label in the column of types, or there is none */
  readonly severalTypes: SeveralTypes | null;
}

/**
 * The column with the ids of the nodes: the one called so, unless the edges name values of another column and none of
 * its own; else the first that holds another value in every row. -1: there is none.
 *
 * @param edgeIds ids that sampled edges name
 */
export function idColumn({ columns, rows, part }: SampledFile, edgeIds: ReadonlySet<string>): number {
  if (part === "nodes") return 0;
  const endsInId = columns.findIndex(({ name }, i) => /id$/i.test(plainName(name)) && areDistinct(valuesOf(rows, i)));
  const called = columnNamed(columns, columnNames.id);
  // Where another column is an id by its name, a name or a key is what people read.
  const named =
    called >= 0 && endsInId >= 0 && /^(name|key)$/.test(plainName(columns[called]!.name)) ? endsInId : called;
  const shares = columns.map((_, i) => overlap(valuesOf(rows, i), edgeIds));
  const ranged = named >= 0 && shares[named] === 0 ? idColumnInRange({ columns, rows }, named, edgeIds) : -1;
  if (ranged >= 0) return ranged;
  const best = shares.indexOf(Math.max(...shares));
  const isBestDistinct = best >= 0 && shares[best]! > 0.3 && areDistinct(valuesOf(rows, best));
  if (named >= 0) return shares[named] === 0 && isBestDistinct ? best : named;
  if (isBestDistinct) return best;
  if (endsInId >= 0) return endsInId;
  const [first] = columns;
  const couldBeId = first && (first.type === "text" || first.type === "int64") && areDistinct(valuesOf(rows, 0));
  return couldBeId ? 0 : -1;
}

/**
 * Where edges name numbers far from those of the id column, another column that is an id by its name and has such
 * numbers is what they name, as `new_id` beside the `id` of a service; -1: there is none.
 */
export function idColumnInRange(
  { columns, rows }: Pick<SampledFile, "columns" | "rows">,
  named: number,
  edgeIds: ReadonlySet<string>,
): number {
  const ends = [...edgeIds];
  if (ends.length === 0 || !ends.every((id) => /^\d{1,15}$/.test(id))) return -1;
  const numbers = ends.map(Number);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const within = (i: number) => {
    const values = valuesOf(rows, i);
    const inside = values.filter((value) => /^\d{1,15}$/.test(value) && +value >= least && +value <= most);
    return values.length === 0 ? 0 : inside.length / values.length;
  };
  if (within(named) > 0.1) return -1;
  const isId = (i: number) => /id$/i.test(plainName(columns[i]!.name)) && areDistinct(valuesOf(rows, i));
  return columns.findIndex((_, i) => i !== named && isId(i) && within(i) >= 0.8);
}

export function nodeRoles(file: SampledFile, id: number): NodeRoles {
  const { columns, rows } = file;
  const notes: string[] = [];
  const explained: number[] = [];
  const masks = maskColumns(columns, rows);
  const split = masks ? null : splitColumn(file, notes, explained);
  const nameless = namelessColumns(file, id);
  if (nameless.note !== null) notes.push(nameless.note);
  const several = severalTypes(file, id);
  const label: LabelFound | null =
    nameless.label >= 0
      ? { column: nameless.label, role: "label" }
      : labelColumn(file, [id, several?.column], notes, explained);
  const type = several?.column ?? columnNamed(columns, columnNames.nodeType);
  const lists = indicesColumn(file, [id, label?.column]);
  const roles = columns.map((column, i): ColumnRole => {
    if (i === id) return "id";
    if (i === split?.column) return "split";
    const mask = masks?.indexOf(i) ?? -1;
    if (mask >= 0) return (["trainMask", "valMask", "testMask"] as const)[mask]!;
    if (i === label?.column) return label.role;
    if (i === type && !explained.includes(i)) return "type";
    if (nameless.features.includes(i)) return "feature";
    if (i === lists) return "multiHot";
    return isFeature(column) || isFeatureWithGaps(column, valuesOf(rows, i)) ? "feature" : "none";
  });
  if (lists >= 0 && roles[lists] === "multiHot")
    notes.push(
      `${file.name}: the lists in "${columns[lists]!.name}" are taken for indices of features: 1 there, and 0 elsewhere. Choose another role if they are something else.`,
    );
  const gaps = gapsNote(file, roles);
  if (gaps !== null) notes.push(gaps);
  const missingLabels =
    label?.role === "label" ? unknownLabels(rows.map((row) => (row[label.column] ?? "").trim())) : [];
  if (missingLabels.length > 0)
    notes.push(
      `${file.name}: the label ${missingLabels.join(", ")} in "${columns[label!.column]!.name}" is read as "not known". Take it out of missingLabels if it is a class.`,
    );
  return {
    roles,
    notes,
    directed: null,
    explained,
    splitWords: split?.words ?? {},
    missingLabels,
    severalTypes: several,
  };
}

/** A column of lists of indices, where it or its file is called after features, as they may be ids; -1: none */
function indicesColumn({ name, columns, reader }: SampledFile, taken: readonly (number | undefined)[]): number {
  const isOfFeatures = reader === "json-lists" && saysFeatures(name);
  return columns.findIndex(
    (column, i) => !taken.includes(i) && column.list?.areIndices && (isOfFeatures || isVectorName(column.name)),
  );
}

function saysFeatures(file: string): boolean {
  return /(?:^|[^a-z])(?:features?|feats?|attributes?|attrs?|bow|words?|x)(?:[^a-z]|$)/i.test(baseName(file));
}

/** Whole numbers are features only when the name says so: they may be ids, years or codes. */
function isFeature(column: ColumnInfo): boolean {
  const { name, list } = column;
  if (list) return list.width !== null && (!list.isWhole || isVectorName(name));
  return isNumeric(column) && (column.type === "double" || isFeatureName(column.name));
}

const maskNames = [
  ["trainmask", "istrain", "train"],
  ["valmask", "isval", "val", "valid", "validation"],
  ["testmask", "istest", "test"],
];

/** PyG's train_mask, val_mask and test_mask, and what others call them: the last two may be missing (-1). */
function maskColumns(columns: readonly ColumnInfo[], rows: Rows): readonly number[] | null {
  const holdsMarks = (i: number) => valuesOf(rows, i).every((value) => isYes(value) || isNo(value));
  const found = maskNames.map((names) =>
    columns.findIndex(({ name }, i) => names.includes(plainName(name)) && holdsMarks(i)),
  );
  return found[0]! >= 0 ? found : null;
}

interface SplitFound {
  readonly column: number;
  readonly words: Readonly<Record<string, "train" | "val" | "test">>;
}

const numbered: Readonly<Record<string, "train" | "val" | "test">> = { "0": "train", "1": "val", "2": "test" };

/** A column of split words; one that is only called so and holds 0, 1 and 2 is taken for train, val and test. */
function splitColumn({ name, columns, rows }: SampledFile, notes: string[], explained: number[]): SplitFound | null {
  const called = columnNamed(columns, columnNames.split);
  const holdsWords = (i: number) => {
    const values = rows.map((row) => row[i] ?? "");
    return values.some((value) => value !== "") && values.every((value) => splitOf(value) !== undefined);
  };
  if (called >= 0 && holdsWords(called)) return { column: called, words: {} };
  const other = columns.findIndex((_, i) => holdsWords(i));
  if (other >= 0) return { column: other, words: {} };
  if (called < 0 || columns[called]!.type === "double") return null;
  const values = [...new Set(valuesOf(rows, called))];
  const column = columns[called]!.name;
  if (values.length > 1 && values.length <= 3 && values.every((value) => numbered[value])) {
    notes.push(
      `${name}: in "${column}", 0, 1 and 2 are taken for train, val and test. Correct splitWords if they mean something else.`,
    );
    return { column: called, words: Object.fromEntries(values.map((value) => [value, numbered[value]!])) };
  }
  explained.push(called);
  notes.push(
    `${name}: "${column}" is called like a split but is not used, since it holds ${values
      .slice(0, 4)
      .map((value) => JSON.stringify(value))
      .join(", ")}. Understood are ${splitWords.join(", ")}; say in splitWords what other words mean.`,
  );
  return null;
}

interface LabelFound {
  readonly column: number;
  readonly role: "label" | "target";
}

const labelWords = /(?:^|[^a-z])(?:labels?|class|classes|targets?|y)(?:[^a-z]|$)/i;

export function isCalledAfterLabels(file: string): boolean {
  return labelWords.test(baseName(file));
}

/** What a file called after labels has beside ids and names, if it is one column. */
function onlyColumnOfLabels({ name, columns, rows }: SampledFile, taken: readonly (number | undefined)[]) {
  if (!isCalledAfterLabels(name)) return undefined;
  const others = [...columns.keys()].filter((i) => !taken.includes(i));
  if (others.length === 1) return others[0];
  // Classes may be things with columns of their own, such as those of a school.
  if (!/(?:^|[^a-z])(?:labels?|targets?)(?:[^a-z]|$)/i.test(baseName(name))) return undefined;
  // Names and numbers of their own say which node it is, as ids do.
  const shared = others.filter((i) => !areNearlyDistinct(valuesOf(rows, i)) && columns[i]!.type !== "double");
  return shared.length === 1 ? shared[0] : undefined;
}

/** Lists of texts by id are labels of nodes that may have several, such as genres. */
function columnOfTextLists({ reader, columns }: SampledFile): number | undefined {
  const at = columns.findIndex(({ name }) => name === "value");
  return reader === "json-lists" && columns[at]?.type === "text" ? at : undefined;
}

/** Classes are texts or whole numbers; a label with decimals is a number to predict, and names are neither. */
function labelColumn(
  file: SampledFile,
  taken: readonly (number | undefined)[],
  notes: string[],
  explained: number[],
): LabelFound | null {
  const { name, columns, rows } = file;
  // Beside a column x, y is the other coordinate.
  const hasX = columns.some((one) => plainName(one.name) === "x");
  const called = columnNames.label
    .filter((wanted) => wanted !== "y" || !hasX)
    .map((wanted) => columns.findIndex((one, i) => !taken.includes(i) && plainName(one.name) === wanted))
    .find((found) => found >= 0);
  const column = called ?? onlyColumnOfLabels(file, taken) ?? columnOfTextLists(file);
  if (column === undefined) return null;
  const values = valuesOf(rows, column);
  const { name: title, type } = columns[column]!;
  if (type === "list" && values.every((value) => /^[[({]/.test(value))) {
    explained.push(column);
    notes.push(
      `${name}: "${title}" holds a list in each cell, which is no class. For several labels write texts such as a|b, or a column of 0 and 1 for each label.`,
    );
    return null;
  }
  const isWhole = values.every((value) => /^[+-]?\d+(\.0*)?$/.test(value));
  if (type === "double" && !isWhole) return { column, role: "target" };
  // Where a cell holds several labels, many combinations come but once; and names are seldom missing, labels often.
  const isMostlyKnown = values.length * 2 >= rows.length;
  if (!isMostlyKnown || !areNearlyDistinct(values.flatMap((value) => value.split("|"))))
    return { column, role: "label" };
  if (isNumeric(columns[column]!) && countsClasses(values)) return { column, role: "label" };
  if (isNumeric(columns[column]!)) {
    notes.push(
      `${name}: "${title}" holds another number in nearly every row, so it is proposed as a number to predict, not as a class.`,
    );
    return { column, role: "target" };
  }
  explained.push(column);
  notes.push(
    `${name}: "${title}" holds another text in nearly every row: names, not classes. It is left out; choose "label" if these are classes.`,
  );
  return null;
}

/** Numbers that lie close together number the classes, of which a sample may hold each but once. */
function countsClasses(values: readonly string[]): boolean {
  const numbers = values.map(Number);
  return Math.max(...numbers) - Math.min(...numbers) < 3 * numbers.length;
}

const unknownWords = /^(?:unknown|unlabell?ed|unassigned|undefined|not known|not available|-+)$/i;

/** Words for what is not known, and -1 among classes that count from 0 or 1. */
function unknownLabels(cells: readonly string[]): readonly string[] {
  const others = [...new Set(cells)].filter((cell) => cell !== "" && !usualMissingLabels.includes(cell));
  const words = others.filter((cell) => unknownWords.test(cell) || saysMissing(cell));
  if (words.length > 0) return words.length < others.length ? words : [];
  const isMinusOne = (value: string) => Number(value) === -1;
  const classes = others.filter((value) => !isMinusOne(value));
  const countFromZero = classes.length > 0 && classes.every((value) => /^\d+(\.0*)?$/.test(value));
  return countFromZero ? others.filter(isMinusOne) : [];
}
