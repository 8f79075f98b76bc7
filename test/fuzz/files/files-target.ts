import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync, zipSync } from "fflate";
import { filesArtifactIn } from "../../../packages/gnn-core/test/support/step-runner.ts";
import { wholeOgb } from "../../files/ogb-files.ts";
import type { Dice } from "../dice.ts";
import { isKnown } from "../judge.ts";
import type { Outcome, Target } from "../target.ts";
import { type Contents, type Corpus, makeCorpus } from "./corpus.ts";
import { damageFile, damageMember } from "./damage-file.ts";
import { StepProcess } from "./step-process.ts";

interface FilesCase {
  /** By name, in base64 */
  readonly files: Readonly<Record<string, string>>;
  readonly spec: unknown;
}

/** Damaged uploads, previewed and ingested in a process of their own as a worker does it. */
export class FilesTarget implements Target<FilesCase> {
  readonly name = "files";
  readonly #corpus: Corpus;
  readonly #steps = new StepProcess();

  private constructor(corpus: Corpus) {
    this.#corpus = corpus;
  }

  static async open(): Promise<FilesTarget> {
    return new FilesTarget(await makeCorpus());
  }

  generate(dice: Dice): FilesCase {
    const { edges, nodes, features, graphs, planetoid } = this.#corpus;
    if (dice.chance(0.15)) return planetoidCase(dice, planetoid);
    if (dice.chance(0.15)) return ogbCase(dice);
    if (dice.chance(0.4)) return graphCase(dice, ...pickFile(dice, graphs));
    const [edgesName, edgesBytes] = pickFile(dice, edges);
    const [edgesUpload, uploadBytes] = dice.chance(0.2) ? inZip(edgesName, edgesBytes) : [edgesName, edgesBytes];
    const [nodesName, nodesBytes] = pickFile(dice, nodes);
    const [featuresName, featuresBytes] = pickFile(dice, features);
    const hasMatrix = dice.chance(0.4);
    const given: [string, Uint8Array][] = [[edgesUpload, uploadBytes]];
    if (hasMatrix || dice.chance(0.7)) given.push([nodesName, nodesBytes]);
    if (hasMatrix) given.push([featuresName, featuresBytes]);
    const damaged = dice.integer(given.length);
    const files = given.map(
      ([name, bytes], i) => [name, i === damaged ? damageFile(dice, name, bytes) : bytes] as const,
    );
    const isTriples = edgesName === "edges.nt";
    const isPlain = edgesName === "edges.txt" || isTriples;
    const [src, dst] = isTriples ? ["subject", "object"] : ["src", "dst"];
    const spec = {
      edges: {
        files: [edgesUpload === edgesName ? edgesName : `${edgesUpload}/${edgesName}`],
        src,
        dst,
        weight: isPlain || dice.chance(0.5) ? null : "weight",
      },
      nodes: given.length === 1 ? null : nodesSpec(nodesName, hasMatrix ? featuresName : null),
      missingNodes: dice.pick(["add", "drop", "error"]),
      directed: dice.chance(0.5),
    };
    return {
      files: Object.fromEntries(files.map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")])),
      spec,
    };
  }

  async run({ files, spec }: FilesCase): Promise<Outcome> {
    const dir = mkdtempSync(join(tmpdir(), "hw-files-"));
    try {
      const contents = Object.entries(files).map(([name, text]) => [name, Buffer.from(text, "base64")] as const);
      const uploaded = await filesArtifactIn(join(dir, "files"), Object.fromEntries(contents));
      const previewed = judge(
        await this.#steps.run({ step: "map", options: {}, files: uploaded, dir: join(dir, "map") }),
      );
      if (previewed.fault !== null) return { ...previewed, fault: `map: ${previewed.fault}` };
      const ingested = judge(
        await this.#steps.run({ step: "ingest", options: spec, files: uploaded, dir: join(dir, "ingest") }),
      );
      return ingested.fault === null ? ingested : { ...ingested, fault: `ingest: ${ingested.fault}` };
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  }

  get peakBytes(): number {
    return this.#steps.peakBytes;
  }

  async close(): Promise<void> {
    await this.#steps.end();
  }
}

function pickFile(dice: Dice, contents: Contents): [string, Uint8Array] {
  return dice.pick(Object.entries(contents));
}

function inZip(name: string, bytes: Uint8Array): [string, Uint8Array] {
  return ["edges.zip", zipSync({ [name]: bytes })];
}

const graphReaders = [
  [".graphml", "graphml"],
  [".gexf", "gexf"],
  [".gml", "gml"],
  [".net", "pajek"],
  [".json", "graph-json"],
  [".cyjs", "graph-json"],
] as const;

/** A file that holds both tables, damaged. */
function graphCase(dice: Dice, name: string, bytes: Uint8Array): FilesCase {
  const type = graphReaders.find(([ending]) => name.includes(ending))?.[1];
  const reader = (part: "edges" | "nodes") => ({ reader: { type, options: { part } } });
  const spec = {
    edges: {
      files: [name],
      ...reader("edges"),
      src: "source",
      dst: "target",
      weight: dice.chance(0.5) ? "weight" : null,
    },
    nodes: dice.chance(0.7) ? { files: [name], ...reader("nodes"), id: "id" } : null,
    missingNodes: dice.pick(["add", "drop", "error"]),
  };
  return { files: { [name]: Buffer.from(damageFile(dice, name, bytes)).toString("base64") }, spec };
}

/** A set of files that are read together, one of them damaged. */
function planetoidCase(dice: Dice, planetoid: Contents): FilesCase {
  const damaged = dice.pick(Object.keys(planetoid));
  const files = Object.entries(planetoid).map(([path, bytes]) => {
    const name = path.slice(path.indexOf("/") + 1);
    return [name, Buffer.from(path === damaged ? damageFile(dice, name, bytes) : bytes).toString("base64")];
  });
  const table = (name: string) => `ind.toy.graph/${name}`;
  const spec = {
    edges: { files: [table("edges.csv")], src: "src", dst: "dst" },
    nodes: {
      files: [table("nodes.csv")],
      id: "id",
      label: "label",
      split: "split",
      features: { file: table("features.npz") },
    },
  };
  return { files: Object.fromEntries(files), spec };
}

/** A folder of the Open Graph Benchmark, one of whose files is damaged. */
function ogbCase(dice: Dice): FilesCase {
  if (dice.chance(0.4)) {
    const damaged = dice.pick(["data.npz", "node-label.npz", "train.csv"] as const);
    const files = Object.entries<string | Uint8Array>(wholeOgb.binary).map(([name, text]) => {
      const bytes = Buffer.from(text as Uint8Array);
      return [
        name,
        name === damaged ? (name.endsWith(".npz") ? damageMember(dice, bytes) : damageFile(dice, name, bytes)) : bytes,
      ];
    }) as [string, Uint8Array][];
    return { files: base64(files), spec: ogbSpec("data.npz", "features.npy") };
  }
  const isTyped = dice.chance(0.5);
  const parts = unzipSync(isTyped ? wholeOgb.typed : wholeOgb.molecules);
  const name = dice.pick(Object.keys(parts));
  const zip = zipSync({ ...parts, [name]: damageFile(dice, name, parts[name]!) });
  const anchor = isTyped ? "ogb.zip/mag/raw/num-node-dict.csv.gz" : "ogb.zip/hiv/raw/edge.csv.gz";
  const spec = isTyped
    ? {
        nodeTypes: {
          paper: { files: [`${anchor}/paper.csv`], id: "id", features: { file: `${anchor}/paper.npy` } },
          author: { files: [`${anchor}/author.csv`], id: "id" },
        },
        relations: [
          {
            source: "author",
            name: "writes",
            target: "paper",
            src: "author",
            dst: "paper",
            files: [`${anchor}/author___writes___paper.csv`],
          },
        ],
      }
    : {
        edges: { files: [`${anchor}/edges.csv`], src: "src", dst: "dst", graph: "graph" },
        nodes: { files: [`${anchor}/nodes.csv`], id: "id", graph: "graph", features: { columns: ["feat_0"] } },
        graphs: { files: [`${anchor}/graphs.csv`], id: "graph", label: "label", split: "split" },
      };
  return { files: base64([["ogb.zip", zip]]), spec };
}

const base64 = (files: readonly (readonly [string, Uint8Array])[]) =>
  Object.fromEntries(files.map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]));

const ogbSpec = (anchor: string, matrix: string) => ({
  edges: { files: [`${anchor}/edges.csv`], src: "src", dst: "dst" },
  nodes: { files: [`${anchor}/nodes.csv`], id: "id", label: "label", features: { file: `${anchor}/${matrix}` } },
});

function nodesSpec(file: string, matrix: string | null): unknown {
  const features = matrix === null ? { columns: ["f0", "f1"] } : { file: matrix };
  return { files: [file], id: "id", label: "label", split: "split", features };
}

function judge({ code, trouble }: { code: string | null; trouble: string | null }): Outcome {
  if (trouble !== null) return { kind: "trouble", fault: trouble };
  if (code === null) return { kind: "fine", fault: null };
  return { kind: code, fault: isKnown(code) ? null : `an unknown code, ${code}` };
}
