import type { ReadingLimits } from "../limits/reading-limits.ts";
import { openWorkbook } from "./workbook.ts";

/** The names of a workbook's sheets that are not hidden. @throws GnnError DATASET_FORMAT_INVALID */
export async function sheetsOf(
  file: { readonly name: string; readonly path: string },
  limits: ReadingLimits,
): Promise<string[]> {
  const workbook = await openWorkbook(file.path, file.name, limits);
  workbook.close();
  return workbook.sheets.filter(({ isHidden }) => !isHidden).map(({ name }) => name);
}
