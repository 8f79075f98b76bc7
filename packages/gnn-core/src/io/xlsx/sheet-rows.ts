import { damagedGraphFile } from "../graph-files/damaged-graph-file.ts";
import type { XmlElement, XmlHandler } from "../graph-files/xml-elements.ts";
import { dateText } from "./date-styles.ts";
import { isText, unescapedText } from "./shared-strings.ts";
import { recordsOfPart, type Sheet, type Workbook } from "./workbook.ts";

/** What Excel itself has. */
const [maxColumns, maxRows] = [16_384, 1_048_576];

export interface SheetRow {
  /** As the program shows it, from 1 */
  readonly line: number;
  /** Texts of the cells that have one, by their column from 0, ascending */
  readonly cells: readonly (readonly [column: number, text: string])[];
}

/** What cells mean, and what was found of them on the way. */
export interface CellContext {
  readonly sharedStrings: readonly string[];
  readonly dateStyles: ReadonlySet<number>;
  readonly isFrom1904: boolean;
  /** Cells whose formula has no stored result, with the first one's name */
  withoutResult: { count: number; first: string };
  /** Cells with whole numbers of more digits than Excel keeps, with the first one's name */
  rounded: { count: number; first: string };
}

/** The rows of a sheet that have a cell with a text. @throws GnnError DATASET_FORMAT_INVALID with the row */
export function rowsOf(workbook: Workbook, sheet: Sheet, context: CellContext): AsyncIterable<SheetRow> {
  return recordsOfPart(sheet.member, workbook.name, new RowHandler(`${workbook.name}/${sheet.name}`, context));
}

class RowHandler implements XmlHandler<SheetRow> {
  readonly withText: ReadonlySet<string> = new Set(["v", "t"]);
  readonly #file: string;
  readonly #context: CellContext;
  #line = 0;
  #cells: [number, string][] = [];
  #column = -1;
  #value: string | null = null;
  #inline: string | null = null;
  #hasFormula = false;

  constructor(file: string, context: CellContext) {
    this.#file = file;
    this.#context = context;
  }

  begin({ name, attributes }: XmlElement): void {
    if (name === "row") this.#beginRow(attributes["r"]);
    if (name === "c") this.#beginCell(attributes["r"]);
    if (name === "f") this.#hasFormula = true;
  }

  end(element: XmlElement): SheetRow | null {
    if (element.name === "v") this.#value = element.text;
    else if (isText(element)) this.#inline = (this.#inline ?? "") + element.text;
    else if (element.name === "c") this.#endCell(element.attributes);
    else if (element.name === "row" && this.#cells.length > 0) return { line: this.#line, cells: this.#cells };
    return null;
  }

  #beginRow(reference: string | undefined): void {
    const line = reference === undefined ? this.#line + 1 : Number(reference);
    if (!Number.isInteger(line) || line <= this.#line || line > maxRows)
      throw damagedGraphFile(
        this.#file,
        this.#line + 1,
        `a row is numbered ${JSON.stringify(reference)}. Save it again.`,
      );
    this.#line = line;
    this.#cells = [];
    this.#column = -1;
  }

  #beginCell(reference: string | undefined): void {
    const column = reference === undefined ? this.#column + 1 : columnOf(reference);
    if (column <= this.#column || column >= maxColumns)
      throw damagedGraphFile(this.#file, this.#line, `a cell is called ${JSON.stringify(reference)}. Save it again.`);
    this.#column = column;
    this.#value = null;
    this.#inline = null;
    this.#hasFormula = false;
  }

  #endCell({ t: type = "n", s: style = "" }: Readonly<Record<string, string>>): void {
    const text = this.#textOf(type, Number(style));
    if (text !== null && text.trim() !== "") this.#cells.push([this.#column, text]);
    else if (this.#hasFormula && this.#value === null) this.#count(this.#context.withoutResult);
  }

  #textOf(type: string, style: number): string | null {
    if (type === "inlineStr") return this.#inline === null ? null : unescapedText(this.#inline);
    const value = this.#value;
    if (value === null || value === "") return null;
    if (type === "s") return this.#sharedString(value);
    if (type === "b") return value === "1" ? "true" : "false";
    // What is not available is missing; other errors are texts, which no number is made of.
    if (type === "e") return value === "#N/A" ? null : value;
    return type === "n" ? this.#numberText(value, style) : unescapedText(value);
  }

  #sharedString(value: string): string {
    const text = /^\d{1,9}$/.test(value) ? this.#context.sharedStrings[Number(value)] : undefined;
    if (text !== undefined) return text;
    const found = `it refers to the text ${JSON.stringify(value.slice(0, 20))}, which the workbook lacks. Save it again.`;
    throw damagedGraphFile(this.#file, this.#line, found);
  }

  #numberText(value: string, style: number): string {
    const number = Number(value);
    if (!Number.isFinite(number))
      throw damagedGraphFile(
        this.#file,
        this.#line,
        `${JSON.stringify(value.slice(0, 20))} is no number. Save it again.`,
      );
    if (this.#context.dateStyles.has(style)) return dateText(number, this.#context.isFrom1904);
    if (Number.isSafeInteger(number)) return String(number);
    if (Number.isInteger(number)) this.#count(this.#context.rounded);
    return value;
  }

  #count(cells: { count: number; first: string }): void {
    if (cells.count++ === 0) cells.first = `${lettersOf(this.#column)}${this.#line}`;
  }
}

/** The column of `AB12` from 0; of what is no name of a cell, one beyond all. */
function columnOf(reference: string): number {
  const letters = /^([A-Z]{1,3})\d{1,7}$/.exec(reference)?.[1];
  if (letters === undefined) return maxColumns;
  return Array.from(letters).reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** `AB` of 27 */
function lettersOf(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : lettersOf(Math.floor(column / 26) - 1) + last;
}
