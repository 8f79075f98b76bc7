import type { DatasetSpec } from "../dataset-spec.ts";
import type { Proposal } from "./propose-spec.ts";
import type { FileProblem, SampledFile } from "./sampled-file.ts";
import { type Misfit, misfitOf, quoted } from "./section-fit.ts";
import { type SpecSection, sectionsOf } from "./spec-sections.ts";

/** What the version to which rows are added was made of. */
export interface EarlierFiles {
  readonly spec: DatasetSpec;
  /** Names of its uploaded files, read or not */
  readonly files: readonly string[];
}

/** What comes of the files that are new: the section that each adds to, or why there is none. */
type Placing = { readonly section: SpecSection } | { readonly problem: FileProblem };

/**
 * Proposes the spec of an earlier version with each new file read as those of the one section whose columns it has.
 * Where one fits none, or several, nothing is proposed: its rows would be left out.
 *
 * @param guessed  what would be proposed of the files alone; how they look is shown as there
 */
export function addFiles(sampled: readonly SampledFile[], { spec, files }: EarlierFiles, guessed: Proposal): Proposal {
  const added = structuredClone(spec);
  const sections = sectionsOf(added, (name) => {
    const file = sampled.find((one) => one.name === name);
    return file ? file.columns.map((column) => column.name) : null;
  });
  const isEarlier = ({ name }: SampledFile) => files.some((file) => name === file || name.startsWith(`${file}/`));
  const earlierOf = new Map(
    sections.map((one) => [one, sampled.filter(({ name }) => one.files.includes(name))] as const),
  );
  const news = sampled.filter((file) => !isEarlier(file));
  const placings = new Map(news.map((file) => [file.name, placeOf(file, spec, earlierOf)]));
  const warnings: string[] = [];
  for (const file of news) {
    const placing = placings.get(file.name)!;
    if ("problem" in placing) warnings.push(placing.problem.detail);
    else {
      warnings.push(...file.doubts.map((doubt) => `${file.name}: ${doubt}`));
      warnings.push(...unknownNotes(file, placing.section, earlierOf.get(placing.section) ?? []));
    }
  }
  for (const { name } of news) {
    const placing = placings.get(name)!;
    if ("problem" in placing) continue;
    for (const list of [placing.section.files, ...(placing.section.ofTypes ?? [])]) list.push(name);
  }
  if (news.length === 0) warnings.push("No file adds rows yet: upload those that hold the new ones.");
  const fits = news.length > 0 && [...placings.values()].every((placing) => "section" in placing);
  const shown = guessed.files.map((file) => {
    const placing = placings.get(file.name);
    if (!placing) return file;
    if ("problem" in placing) return { ...file, problem: placing.problem };
    return { ...file, reasons: [...file.reasons, `Its rows are added to ${placing.section.title}.`] };
  });
  return { files: shown, proposed: fits ? added : null, warnings };
}

function placeOf(
  file: SampledFile,
  spec: DatasetSpec,
  earlierOf: ReadonlyMap<SpecSection, readonly SampledFile[]>,
): Placing {
  if (file.problem) return { problem: file.problem };
  if (spec.tu) {
    const detail = `${file.name} adds to nothing: files of the TU layout are numbered through, so that none can be added; upload all of them anew.`;
    return { problem: { code: "DATASET_FORMAT_INVALID", detail } };
  }
  const misfits: Misfit[] = [];
  const fitting: SpecSection[] = [];
  for (const [section, earlier] of earlierOf) {
    const misfit = misfitOf(file, section, earlier);
    if (misfit) misfits.push(misfit);
    else fitting.push(section);
  }
  const alike = fitting.filter((section) => hasTheSameColumns(file, earlierOf.get(section) ?? []));
  const [section, second] = alike.length > 0 ? alike : fitting;
  if (!section) return { problem: unfitting(file, misfits, earlierOf) };
  if (!second) return { section };
  const titles = (alike.length > 0 ? alike : fitting).map(({ title }) => title).join(", and to ");
  const detail = `${file.name} may add to ${titles}: it has the columns of each. Give a mapping that lists it where it belongs, or columns of other names to each kind of file.`;
  return { problem: { code: "DATASET_FORMAT_UNKNOWN", detail } };
}

function columnsOf(files: readonly SampledFile[]): ReadonlySet<string> {
  return new Set(files.flatMap(({ columns }) => columns.map(({ name }) => name)));
}

function hasTheSameColumns(file: SampledFile, earlier: readonly SampledFile[]): boolean {
  const own = columnsOf([file]);
  return earlier.some((one) => {
    const theirs = columnsOf([one]);
    return theirs.size === own.size && [...theirs].every((name) => own.has(name));
  });
}

/** The section that it lacks least of is the one that was most likely meant. */
function unfitting(
  file: SampledFile,
  misfits: readonly Misfit[],
  earlierOf: ReadonlyMap<SpecSection, readonly SampledFile[]>,
): FileProblem {
  const shareLacked = ({ section, lacks }: Misfit) => lacks.length / Math.max(1, section.columns.length);
  const [closest] = misfits.toSorted((a, b) => shareLacked(a) - shareLacked(b)) as [Misfit];
  const { section, lacks, reason } = closest;
  const unknown = unknownColumns(file, earlierOf.get(section) ?? []);
  const instead = lacks.length > 0 && unknown.length > 0 ? `, and ${quoted(unknown)}, which those do not have` : "";
  const detail = `${file.name} fits no files of the version that it adds to. As ${section.title}, in ${section.files.join(", ")}, it is not read: ${reason}${instead}. Write it as those are, and upload it again under the same name.`;
  return { code: lacks.length > 0 ? "DATASET_COLUMN_MISSING" : "DATASET_FORMAT_INVALID", detail };
}

function unknownColumns(file: SampledFile, earlier: readonly SampledFile[]): string[] {
  const known = columnsOf(earlier);
  return file.columns.map(({ name }) => name).filter((name) => !known.has(name));
}

function unknownNotes(file: SampledFile, section: SpecSection, earlier: readonly SampledFile[]): string[] {
  const unknown = unknownColumns(file, earlier);
  if (unknown.length === 0) return [];
  return [`${file.name}: ${quoted(unknown)} is in no other file of ${section.title}, and is not read.`];
}
