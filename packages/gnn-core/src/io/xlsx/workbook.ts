import { GnnError } from "../../errors/gnn-error.ts";
import type { ArchiveMember } from "../archives/archive.ts";
import { openZip } from "../archives/open-zip.ts";
import { boundedRecords, utf8TextOf } from "../graph-files/bounded-records.ts";
import { readXml, type XmlElement, type XmlHandler } from "../graph-files/xml-elements.ts";
import type { ReadingLimits } from "../limits/reading-limits.ts";

/** Pictures are parts as well, and nobody reads them. */
const maxParts = 4096;

export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly member: ArchiveMember;
}

/** The parts of a workbook that say where its cells are and what they mean. */
export interface Workbook {
  readonly name: string;
  /** Sheets of cells, in the order of their tabs; charts are left out */
  readonly sheets: readonly Sheet[];
  /** Whether days count from 1904, as on old Macs, and not from 1900 */
  readonly isFrom1904: boolean;
  readonly sharedStrings: ArchiveMember | null;
  readonly styles: ArchiveMember | null;
  close(): void;
}

/**
 * Opens an Excel workbook (ECMA-376, SpreadsheetML in a zip archive) and reads which sheets it has.
 *
 * @throws GnnError DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED
 */
export async function openWorkbook(path: string, name: string, limits: ReadingLimits): Promise<Workbook> {
  const zip = await openZip({ path, name }, limits, maxParts);
  try {
    const memberAt = (part: string) => zip.members.find((one) => one.name.toLowerCase() === part.toLowerCase()) ?? null;
    const [main, relations] = [memberAt("xl/workbook.xml"), memberAt("xl/_rels/workbook.xml.rels")];
    if (main === null || relations === null) throw noWorkbook(name);
    const targets = new Map<string, string>();
    for await (const { attributes } of elementsOf(relations, name, "Relationship"))
      targets.set(attributes["Id"] ?? "", partOf(attributes["Target"] ?? ""));
    const sheets: Sheet[] = [];
    let isFrom1904 = false;
    for await (const element of elementsOf(main, name, "sheet", "workbookPr")) {
      const { attributes } = element;
      if (element.name === "workbookPr") isFrom1904 = /^(1|true)$/.test(attributes["date1904"] ?? "");
      else {
        const id = Object.entries(attributes).find(([key]) => key.endsWith(":id"))?.[1] ?? "";
        const member = memberAt(targets.get(id) ?? "");
        const isHidden = (attributes["state"] ?? "visible") !== "visible";
        if (member !== null && !member.name.includes("chartsheets/"))
          sheets.push({ name: attributes["name"] ?? `sheet${sheets.length + 1}`, isHidden, member });
      }
    }
    if (sheets.length === 0) throw noWorkbook(name);
    const [sharedStrings, styles] = [memberAt("xl/sharedStrings.xml"), memberAt("xl/styles.xml")];
    return { name, sheets, isFrom1904, sharedStrings, styles, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** What a handler makes of the XML of one part of a workbook. */
export function recordsOfPart<R>(part: ArchiveMember, workbook: string, handler: XmlHandler<R>): AsyncIterable<R> {
  const file = `${workbook}/${part.name}`;
  const parse = (text: AsyncIterable<string>) => readXml(text, file, handler);
  return boundedRecords(parse, utf8TextOf(part.read(), file), (most) => tooLong(file, most));
}

/** All elements of some names, each when it ends. */
export function elementsOf(
  part: ArchiveMember,
  workbook: string,
  ...names: readonly string[]
): AsyncIterable<XmlElement> {
  return recordsOfPart(part, workbook, {
    withText: new Set(),
    begin: () => {},
    end: (element) => (names.includes(element.name) ? element : null),
  });
}

/** A target is a path from the folder of the workbook, or from the root of the archive. */
function partOf(target: string): string {
  return target.startsWith("/") ? target.slice(1) : `xl/${target.replace(/^\.\//, "")}`;
}

function noWorkbook(file: string): GnnError {
  const message = `${file} is a zip archive of an Office program, but no workbook with sheets. Save the table as .xlsx or CSV.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}

function tooLong(file: string, most: number): GnnError {
  const message = `${file}: found neither a row nor a text within ${most} characters; expected a sheet of cells. Save the workbook again.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}
