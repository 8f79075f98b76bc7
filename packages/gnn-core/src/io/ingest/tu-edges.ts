import type { DatasetSpecInput } from "../dataset-spec.ts";
import type { TuSection } from "../graphs-section.ts";
import { SideBySide } from "../tu/side-by-side.ts";
import { integerOf, numberRows } from "../tu/tu-numbers.ts";
import type { IngestContext } from "./ingest-context.ts";
import { csv, numberFile, optional, widthOf, writeTable } from "./tu-table-file.ts";

/** Columns of the table of edges, which has no header so that its lines are those of DS_A.txt */
const [src, dst, type] = ["column1", "column2", "column3"];

/**
 * The table of edges takes the place of DS_A.txt where files beside it say more of its rows: their type, which are the
 * labels of a line as they stand, and columns of numbers.
 *
 * @returns the section of the spec that reads it
 * @throws GnnError those of `numberRows`, and DATASET_ROW_INVALID of files that have not as many lines
 */
export async function writeTuEdges(context: IngestContext, tu: TuSection): Promise<DatasetSpecInput["edges"]> {
  const section = { files: [tu.edges], reader: { type: "csv", options: { ...csv, header: false } }, src, dst };
  const labelFile = await optional(context, tu.edgeLabels);
  const attributeFile = await optional(context, tu.edgeAttributes);
  const beside = [labelFile, attributeFile].filter((file) => file !== null);
  if (beside.length === 0) return section;
  const pairs = await numberFile(context, tu.edges);
  const rows = new SideBySide(beside, `edges in ${pairs.name}`);
  async function* lines() {
    for await (const { line, values } of numberRows(pairs.path, pairs.name, 2)) {
      for (const node of values) integerOf(node, pairs.name, line);
      const found = [...(await rows.next())];
      const labels = labelFile ? found.shift() : null;
      if (labelFile && labels) for (const label of labels) integerOf(label, labelFile.name, line);
      yield [...values, ...(labels ? [labels.join(",")] : []), ...found.flat()];
    }
    await rows.end();
  }
  try {
    await writeTable(context, tu.edges, lines());
  } finally {
    await rows.close();
  }
  const numAttributes = attributeFile ? await widthOf(attributeFile) : 0;
  const first = labelFile ? 4 : 3;
  const features = Array.from({ length: numAttributes }, (_, i) => `column${first + i}`);
  return { ...section, type: labelFile ? type : null, features };
}
