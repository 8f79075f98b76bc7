import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { errorCodes, limits } from "@hopwise/contracts";
import { describe, expect, test } from "vitest";
import { writeNpzCsr } from "../../packages/gnn-core/src/io/npz.ts";
import { ingestStep } from "../../packages/gnn-core/src/steps/ingest.step.ts";
import { filesArtifact, runStep } from "../../packages/gnn-core/test/support/run-step.ts";
import { cells, workbook } from "../files/excel-files.ts";

const guide = readFileSync(fileURLToPath(new URL("../../docs/guides/your-data.md", import.meta.url)), "utf8");

interface Example {
  readonly title: string;
  /** Fenced blocks: what stands behind the backticks, and their text. */
  readonly blocks: readonly { info: string; text: string }[];
  readonly result: string;
}

const examples: Example[] = guide.split(/\n##+ /).flatMap((section) => {
  const blocks = [...section.matchAll(/^```(.+)\n([^]*?)^```$/gm)].map(([, info = "", text = ""]) => ({ info, text }));
  const result = /^Result: (.*)\.$/m.exec(section)?.[1];
  return result ? [{ title: section.split("\n")[0] ?? "", blocks, result }] : [];
});

/** The matrix that the guide's Python line writes. */
async function sparseMatrix(path: string): Promise<void> {
  const indptr = BigInt64Array.from([0n, 1n, 2n, 3n]);
  const indices = Int32Array.from([1, 0, 2]);
  const data = Float32Array.from([1, 2, 3]);
  await writeNpzCsr(path, { numRows: 3, dim: 3, indptr, indices, data });
}

/** The workbook that the guide's Python writes. */
function writtenWorkbook(): Uint8Array {
  const edges = cells(["src", "dst"], ["a", "b"], ["b", "c"]);
  return workbook({
    sheets: { edges, nodes: cells(["id", "label", "x"], ["a", "p", 0.5], ["b", "q", 1], ["c", "p", 2]) },
  });
}

async function runSql(dir: string, sql: string): Promise<string[]> {
  const connection = await (await DuckDBInstance.create()).connect();
  const names = [...sql.matchAll(/TO '(.*?)'/g)].map(([, name = ""]) => name);
  await connection.run(sql.replaceAll("TO '", `TO '${dir}/`));
  connection.closeSync();
  return names;
}

async function filesOf({ blocks }: Example): Promise<Record<string, Uint8Array | string>> {
  const dir = mkdtempSync(join(tmpdir(), "hopwise-guide-"));
  const files: Record<string, Uint8Array | string> = {};
  for (const { info, text } of blocks) {
    const [language = "", name = ""] = info.split(" ");
    if (["csv", "tsv", "txt", "nt", "jsonl", "mtx", "adjlist"].includes(language)) files[name] = text;
    if (language === "json" && name.endsWith(".json")) files[name] = text;
    if (language === "sql") for (const made of await runSql(dir, text)) files[made] = readFileSync(join(dir, made));
    if (language === "python" && name.endsWith(".xlsx")) files[name] = writtenWorkbook();
    else if (language === "python") {
      await sparseMatrix(join(dir, name));
      files[name] = readFileSync(join(dir, name));
    }
  }
  return files;
}

describe("docs/guides/your-data.md", () => {
  test("has an example of every format", () => expect(examples.map(({ title }) => title)).toHaveLength(16));

  test.each(examples)("$title: the example is ingested with the result that the guide gives", async (example) => {
    const files = await filesArtifact(await filesOf(example));
    const spec = JSON.parse(example.blocks.find(({ info }) => info === "json spec")?.text ?? "");
    const { info } = (await runStep(ingestStep, { files }, spec)).manifest;
    const { numNodes, numEdges, idType, features, classes } = info as {
      numNodes: number;
      numEdges: number;
      idType: string;
      features: { dim: number };
      classes: string[];
    };
    const counted = `${numNodes} nodes, ${numEdges} edges, ${features.dim || "no"} features, ${classes.length || "no"} classes`;
    expect(`${counted}, ${idType} ids`).toBe(example.result);
  });

  test("names only codes and limits that exist", () => {
    const named = [...guide.matchAll(/`([A-Z]+_[A-Z_]+)`/g)]
      .map(([, code]) => code)
      .filter((c) => !c?.startsWith("HOPWISE_"));
    for (const code of named) expect(Object.keys(errorCodes)).toContain(code);
    expect(guide).toContain(`${limits.uploadBytes / 1024 ** 3} GiB a file`);
    expect(guide).toContain(`${limits.filesPerDataset} files a dataset`);
  });
});
