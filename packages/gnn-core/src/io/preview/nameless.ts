import { baseName } from "./base-name.ts";
import { isMadeUpName } from "./column-names.ts";
import { isNumeric, valuesOf } from "./column-values.ts";
import { named } from "./left-out.ts";
import type { SampledFile } from "./sampled-file.ts";

/** Whether no column has a name of its own. Fields between blanks are called src and dst where nothing names them. */
export function isNameless({ columns, reader, options }: SampledFile): boolean {
  const isOfBlanks = reader === "edge-list" && options["header"] !== true;
  return columns.every(({ name }, i) => isMadeUpName(name) || (isOfBlanks && i < 2 && name === ["src", "dst"][i]));
}

const labelWords = /(?:^|[^a-z])(?:labels?|class|classes|target|targets|categor(?:y|ies)|departments?)(?:[^a-z]|$)/i;
const featureWords = /(?:^|[^a-z])(?:(?:ego)?feats?|features?|attrs?|attributes?|content)(?:[^a-z]|$)/i;
const edgeWords = /edge|link|graph|relation|cites/i;

/** What a table without names of columns says of nodes by the name of its file; null: nothing, or it is of edges. */
export function namelessKind(file: SampledFile): "labels" | "features" | null {
  const name = baseName(file.name);
  if (file.part !== undefined || !isNameless(file) || edgeWords.test(name)) return null;
  if (labelWords.test(name) && file.columns.length === 2) return "labels";
  return featureWords.test(name) && file.columns.length > 2 ? "features" : null;
}

export interface NamelessColumns {
  /** −1: none of them */
  readonly label: number;
  readonly features: readonly number[];
  readonly note: string | null;
}

const nothing: NamelessColumns = { label: -1, features: [], note: null };

/**
 * What the columns of a table of nodes are for when none has a name: by the name of the file, else numbers with a word
 * behind them in every row, which comes again, are the features of the node and its class.
 */
export function namelessColumns(file: SampledFile, id: number): NamelessColumns {
  const { columns, rows } = file;
  if (id !== 0 || !isNameless(file)) return nothing;
  const kind = namelessKind(file);
  const last = columns.length - 1;
  const others = columns.flatMap((_, i) => (i === id ? [] : [i]));
  if (kind === "labels") return { label: last, features: [], note: noteOf(file, last, []) };
  const words = valuesOf(rows, last);
  const areClasses = words.length === rows.length && new Set(words).size <= words.length / 2;
  const label = columns[last]!.type === "text" && areClasses ? last : -1;
  const features = others.filter((i) => i !== label);
  const areNumbers = features.length > 1 && features.every((i) => isNumeric(columns[i]!));
  if (!areNumbers || (label < 0 && kind !== "features")) return nothing;
  return { label, features, note: noteOf(file, label, features) };
}

function noteOf({ name, columns }: SampledFile, label: number, features: readonly number[]): string {
  const numbers = named(features.map((i) => columns[i]!.name));
  const parts = [
    ...(features.length > 0 ? [`${numbers} ${features.length === 1 ? "is" : "are"} proposed as features`] : []),
    ...(label >= 0 ? [`"${columns[label]!.name}" is proposed as the label`] : []),
  ];
  return `${name}: its columns have no names. ${parts.join(", and ")}. Choose other roles if they are something else.`;
}
