import { archiveFileCases } from "./archive-files.ts";
import { arrayFileCases } from "./array-files.ts";
import type { FileCase } from "./case.ts";
import { coordinateFileCases } from "./coordinate-files.ts";
import { databaseFileCases } from "./database-files.ts";
import { delimiterFileCases } from "./delimiter-files.ts";
import { drawnFileCases } from "./drawn-files.ts";
import { duckdbFileCases } from "./duckdb-files.ts";
import { edgeFileCases, endNameCases } from "./edge-files.ts";
import { encodedFileCases } from "./encoded-files.ts";
import { excelFileCases } from "./excel-files.ts";
import { factFileCases } from "./fact-files.ts";
import { folderFileCases } from "./folder-files.ts";
import { foreignFileCases } from "./foreign-files.ts";
import { gapFileCases } from "./gap-files.ts";
import { graphFileCases } from "./graph-files.ts";
import { hdf5FileCases, hdf5TableCases } from "./hdf5-files.ts";
import { idFileCases } from "./id-files.ts";
import { jsonFileCases } from "./json-files.ts";
import { layoutFileCases } from "./layout-files.ts";
import { lineFileCases } from "./line-files.ts";
import { listFileCases, sideFileCases } from "./list-files.ts";
import { matFileCases } from "./mat-files.ts";
import { neo4jFileCases } from "./neo4j-files.ts";
import { nodeFileCases } from "./node-files.ts";
import { ogbFileCases } from "./ogb-files.ts";
import { otherFileCases } from "./other-files.ts";
import { secondTableCases } from "./second-files.ts";
import { tarFileCases } from "./tar-files.ts";
import { tripleFileCases } from "./triple-files.ts";
import { vectorFileCases } from "./vector-files.ts";

/** All files that somebody would bring, by what is tried with them. */
export const fileTables: readonly (readonly [string, readonly FileCase[]])[] = [
  ["edges", edgeFileCases],
  ["names of ends", endNameCases],
  ["rare delimiters", delimiterFileCases],
  ["ids", idFileCases],
  ["nodes", nodeFileCases],
  ["several tables of the same nodes", secondTableCases],
  ["lists by id", listFileCases],
  ["files of sides", sideFileCases],
  ["vectors", vectorFileCases],
  ["features with gaps", gapFileCases],
  ["text in other encodings", encodedFileCases],
  ["JSON records", jsonFileCases],
  ["graph files", graphFileCases],
  ["graphs of programs that draw", drawnFileCases],
  ["triples", tripleFileCases],
  ["facts and exports of databases", factFileCases],
  ["files of Neo4j's bulk import", neo4jFileCases],
  ["graphs in lines of text", lineFileCases],
  ["files of numbered nodes", coordinateFileCases],
  ["folders of pieces", folderFileCases],
  ["arrays of numpy", arrayFileCases],
  ["HDF5 files", hdf5FileCases],
  ["HDF5 files with tables", hdf5TableCases],
  ["MATLAB files", matFileCases],
  ["layouts of published graphs", layoutFileCases],
  ["databases", databaseFileCases],
  ["databases of DuckDB", duckdbFileCases],
  ["zip archives", archiveFileCases],
  ["tar archives", tarFileCases],
  ["Excel workbooks", excelFileCases],
  ["folders of the Open Graph Benchmark", ogbFileCases],
  ["other files", otherFileCases],
  ["files of other formats", foreignFileCases],
];
