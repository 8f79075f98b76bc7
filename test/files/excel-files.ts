import { readFileSync } from "node:fs";
import { zipSync } from "fflate";
import { type FileCase, lines, pairs, path, pathPairs } from "./case.ts";

/** Written by XlsxWriter 3.2.9: a hidden sheet, an empty one, a blank row, dates, true and false, formulas. */
const published = (name: string) => readFileSync(new URL(`../fixtures/excel/${name}`, import.meta.url));

interface Parts {
  readonly sheets?: Readonly<Record<string, string>>;
  readonly texts?: string;
  readonly styles?: string;
  readonly date1904?: boolean;
}

/** A workbook of no more parts than the format asks for. */
export function workbook({ sheets = {}, texts = "", styles = "", date1904 = false }: Parts): Uint8Array {
  const names = Object.keys(sheets);
  const listed = names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="r${i}"/>`).join("");
  const targets = names.map((_, i) => `<Relationship Id="r${i}" Target="worksheets/s${i}.xml"/>`).join("");
  const parts: Record<string, string> = {
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml": `<workbook><workbookPr date1904="${date1904}"/><sheets>${listed}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${targets}</Relationships>`,
    "xl/sharedStrings.xml": `<sst>${texts}</sst>`,
    "xl/styles.xml": `<styleSheet>${styles}</styleSheet>`,
  };
  for (const [i, rows] of Object.values(sheets).entries())
    parts[`xl/worksheets/s${i}.xml`] = `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, Buffer.from(text)])));
}

/** Rows of texts and numbers, whose places are not written, as some programs do. */
export const cells = (...rows: readonly (readonly (string | number)[])[]) =>
  rows
    .map((row) => row.map((value) => (typeof value === "number" ? `<c><v>${value}</v></c>` : inline(value))).join(""))
    .map((row) => `<row>${row}</row>`)
    .join("");
const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const edgeRows = cells(["src", "dst"], ...pathPairs);

const one = (rows: string, more: Parts = {}) => ({ "book.xlsx": workbook({ sheets: { Sheet1: rows }, ...more }) });

function refusal(title: string, content: Uint8Array, warning: RegExp): FileCase {
  return { title, files: { "book.xlsx": content }, graph: null, warns: [warning] };
}

/** Excel workbooks; of several sheets each is a table that is called by its name behind the workbook's. */
export const excelFileCases: readonly FileCase[] = [
  {
    title: "nodes and edges on two sheets of one workbook",
    files: { "papers.xlsx": published("papers.xlsx") },
    graph: {
      nodes: 4,
      edges: 3,
      ids: ["007", "7", "1e5", "A & B <C>"],
      classes: ["graphs", "logic"],
      weighted: true,
      split: [2, 1, 1],
      rows: [[10.5], [3], [0.1], [-2]],
    },
    warns: [/papers\.xlsx\/papers: .*"seen"/],
  },
  {
    title: "edges on the only sheet, without names of columns, written row by row",
    files: { "links.xlsx": published("links.xlsx") },
    // 7i + 1 leads from 4 to 9 and back, and from 14 to 19 and back.
    graph: { nodes: 20, edges: 20 - 2, ids: ["0", "19"], weighted: true },
    warns: [/weight|column3/],
  },
  {
    title: "a workbook in a zip archive, with a sheet for edges and one for nodes",
    files: {
      "graph.zip": zipSync({
        "data/book.xlsx": workbook({
          sheets: { edges: edgeRows, nodes: cells(["id", "label"], [1, "a"], [2, "b"], [3, "a"], [4, "b"]) },
        }),
      }),
    },
    graph: { ...path, classes: ["a", "b"] },
  },
  {
    title: "a workbook whose name does not say so, beside a table of nodes",
    files: {
      "edges.bin": workbook({ sheets: { a: edgeRows } }),
      "nodes.csv": lines("id,label", "1,a", "2,b", "3,a", "4,b"),
    },
    graph: { ...path, classes: ["a", "b"] },
  },
  {
    title: "cells that begin in the third row and the second column, and texts of several runs",
    files: one(
      '<row r="3"><c r="B3" t="s"><v>0</v></c><c r="D3" t="s"><v>1</v></c></row>' +
        '<row r="5"><c r="B5" t="str"><v>x_x000D_</v></c><c r="D5" t="s"><v>2</v></c></row>',
      { texts: "<si><t>src</t></si><si><r><t>d</t></r><r><t>st</t></r></si><si><t>y</t><rPh><t>z</t></rPh></si>" },
    ),
    graph: { nodes: 2, edges: 1, ids: ["x", "y"] },
  },
  {
    title: "days from 1900, with a time, from styles of their own",
    files: one(
      `${cells(["src", "dst"])}<row><c><v>1</v></c><c s="1"><v>60.75</v></c></row><row><c><v>1</v></c><c s="2"><v>1</v></c></row>`,
      {
        styles:
          '<numFmts><numFmt numFmtId="164" formatCode="[Red]yyyy\\-mm"/></numFmts>' +
          '<cellXfs><xf numFmtId="0"/><xf numFmtId="22"/><xf numFmtId="164"/></cellXfs>',
      },
    ),
    graph: { nodes: 3, edges: 2, ids: ["1", "1900-02-28T18:00:00", "1900-01-01"] },
  },
  {
    title: "a format of numbers whose words are no date",
    files: one(`${cells(["src", "dst"])}<row><c><v>1</v></c><c s="0"><v>2</v></c></row>`, {
      styles:
        '<numFmts><numFmt numFmtId="164" formatCode="0 &quot;days&quot;"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs>',
    }),
    graph: { nodes: 2, edges: 1, ids: ["1", "2"] },
  },
  {
    title: "days from 1904",
    files: one(`${cells(["src", "dst"])}<row><c><v>1</v></c><c s="1"><v>1</v></c></row>`, {
      styles: '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>',
      date1904: true,
    }),
    graph: { nodes: 2, edges: 1, ids: ["1", "1904-01-02"] },
  },
  {
    title: "a number too long for Excel",
    files: one(cells(["src", "dst"], [1, 2], [2, 1.2345678901234568e17])),
    graph: { nodes: 3, edges: 2 },
    warns: [/1 cells hold a whole number of more than 15 digits \(B3 first\).*Format ids as text/],
  },
  {
    title: "a formula whose result was never computed",
    files: one(
      `${cells(["src", "dst", "weight"], [1, 2, 3])}<row><c><v>2</v></c><c><v>3</v></c><c><f>A1+1</f></c></row>`,
    ),
    graph: null,
    warns: [/1 cells hold a formula without its result \(C3 first\)/],
    refused: /book\.xlsx, line 3/,
  },
  {
    title: "an empty id, by the row that Excel shows",
    files: one(`${cells(["src", "dst"], [1, 2])}<row r="9"><c r="A9"><v>7</v></c></row>`),
    graph: null,
    refused: /book\.xlsx, line 9/,
  },
  refusal("a document of Word", zipSync({ "[Content_Types].xml": Buffer.from("<T/>") }), /no workbook with sheets/),
  refusal("a workbook that is cut off", published("links.xlsx").subarray(0, 3000), /cut off or damaged/),
  refusal("a sheet that ends in the middle", workbook({ sheets: { a: "<row><c>" } }), /is not well-formed XML/),
  refusal("rows that go back", workbook({ sheets: { a: '<row r="2"/><row r="1"/>' } }), /a row is numbered "1"/),
  refusal("a cell beyond all", workbook({ sheets: { a: '<row><c r="ZZZ1"/></row>' } }), /a cell is called "ZZZ1"/),
  refusal(
    "a text that is not there",
    workbook({ sheets: { a: '<row><c t="s"><v>7</v></c></row>' } }),
    /refers to the text "7", which the workbook lacks/,
  ),
  refusal("words as a number", workbook({ sheets: { a: "<row><c><v>x</v></c></row>" } }), /"x" is no number/),
  refusal("an empty sheet", workbook({ sheets: { a: "" } }), /book\.xlsx has no rows/),
  refusal(
    "two columns of one name",
    workbook({ sheets: { a: cells(["a", "a", "b"], [1, 2, 3]) } }),
    /two columns called "a"/,
  ),
  {
    title: "a spreadsheet of LibreOffice beside the edges",
    files: {
      "edges.csv": lines("src,dst", ...pairs(",")),
      "book.ods": zipSync({ mimetype: [Buffer.from("application/vnd.oasis.opendocument.spreadsheet"), { level: 0 }] }),
    },
    graph: path,
    warns: [/book\.ods is an OpenDocument file: save the sheet as \.xlsx or CSV/],
  },
];
