import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { AutoSet } from "./auto-set.ts";

const sides = ["train", "val", "test"] as const;

/** Links with their side, and the pairs without a link that are stored beside those held out, as files of a user. */
async function linkFiles(folder: string): Promise<Record<string, string>> {
  const rowsOf = async (side: string) =>
    gunzipSync(await readFile(join(folder, `lp_${side}.csv.gz`)))
      .toString()
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(","));
  const files: Record<string, string> = {};
  const links: string[] = ["src,dst,split"];
  for (const side of sides) {
    const rows = await rowsOf(side);
    links.push(...rows.filter(([, , label]) => label === "1").map(([src, dst]) => `${src},${dst},${side}`));
    const pairs = rows.filter(([, , label]) => label === "0").map(([src, dst]) => `${src},${dst}`);
    if (pairs.length > 0) files[`pairs-${side}.csv`] = ["src,dst", ...pairs].join("\n");
  }
  return { ...files, "links.csv": links.join("\n") };
}

/** Links of a folder `lp_*.csv.gz` between the nodes of another one, with that one's features if it has some. */
export function storedLinks(
  folder: string,
  nodes: { readonly folder: string; readonly features: string | null },
): Pick<AutoSet, "folder" | "files" | "make" | "spec" | "task" | "metric"> {
  const features = nodes.features ? [`../${nodes.folder}/${nodes.features}`] : [];
  return {
    folder,
    files: [`../${nodes.folder}/nodes.csv.gz`, ...features],
    make: linkFiles,
    spec: {
      edges: {
        files: ["links.csv"],
        src: "src",
        dst: "dst",
        split: "split",
        negatives: { val: ["pairs-val.csv"], test: ["pairs-test.csv"] },
      },
      nodes: {
        files: ["nodes.csv.gz"],
        id: "id",
        ...(nodes.features && { features: { file: nodes.features } }),
      },
    },
    task: { type: "linkPrediction", split: { type: "given" }, keptNegatives: "given" },
    metric: "auc",
  };
}
