import { readFileSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import type { GraphInfo } from "../../packages/gnn-core/src/io/ingest/ingest-report.ts";
import type { ArtifactDir } from "../../packages/gnn-core/src/io/manifest.ts";
import { readNpy } from "../../packages/gnn-core/src/io/npy.ts";
import type { NpyDtype } from "../../packages/gnn-core/src/io/npy-header.ts";
import { arrayOf, csrOf, neighboursOf } from "../../packages/gnn-core/src/io/pickle/pickle-arrays.ts";
import { PickleError } from "../../packages/gnn-core/src/io/pickle/pickle-bytes.ts";
import { readPickle } from "../../packages/gnn-core/src/io/pickle/read-pickle.ts";
import type { PreviewInfo } from "../../packages/gnn-core/src/io/preview/preview-info.ts";
import { ingestStep } from "../../packages/gnn-core/src/steps/ingest.step.ts";
import { mapStep } from "../../packages/gnn-core/src/steps/map.step.ts";
import { filesArtifact, runStep } from "../../packages/gnn-core/test/support/run-step.ts";
import { Dice } from "../fuzz/dice.ts";
import { mutateBytes } from "../fuzz/files/mutate-bytes.ts";

const folder = new URL("../fixtures/planetoid/", import.meta.url);
const zipOf = (way: string) => readFileSync(new URL(`toy-${way}.zip`, folder));
/** What numpy and scipy say is in the files. */
const truth = JSON.parse(readFileSync(new URL("truth.json", folder), "utf8")) as {
  features: number[][];
  classes: number[];
  edges: number[][];
};

function filesOf(way: string): Record<string, Uint8Array> {
  const entries = Object.entries(unzipSync(zipOf(way)));
  return Object.fromEntries(entries.map(([name, bytes]) => [name.replace("data/", ""), bytes]));
}

async function previewOf(files: ArtifactDir): Promise<PreviewInfo> {
  return (await runStep(mapStep, { files }, mapStep.options.parse({}))).manifest.info as PreviewInfo;
}

async function arrayAt({ dir }: ArtifactDir, name: string, type: NpyDtype) {
  return Array.from((await readNpy(join(dir, `${name}.npy`), type)).values as ArrayLike<number | bigint>, Number);
}

async function rowsOf(graph: ArtifactDir): Promise<number[][]> {
  const [indptr, indices, data] = [
    await arrayAt(graph, "nodes/features/indptr", "int64"),
    await arrayAt(graph, "nodes/features/indices", "int32"),
    await arrayAt(graph, "nodes/features/data", "float32"),
  ];
  return indptr.slice(1).map((end, node) => {
    const row = Array.from({ length: 5 }, () => 0);
    for (let at = indptr[node]!; at < end; at++) row[indices[at]!] = data[at]!;
    return row;
  });
}

async function edgesOf(graph: ArtifactDir): Promise<number[][]> {
  const indptr = await arrayAt(graph, "graph/indptr", "int64");
  const indices = await arrayAt(graph, "graph/indices", "int32");
  const all = indptr.slice(1).flatMap((end, dst) => indices.slice(indptr[dst], end).map((src) => [src, dst]));
  const once = all.filter(([src, dst]) => src! < dst!);
  return once.toSorted(([a, b], [c, d]) => a! - c! || b! - d!);
}

describe("files of Planetoid", () => {
  it.each([
    ["py2", "as Python 2 wrote the published ones"],
    ["2", "of protocol 2"],
    ["5", "of protocol 5"],
  ])("toy-%s.zip, %s, is the graph that numpy and scipy read, with its public split", async (way) => {
    const files = await filesArtifact({ "toy.zip": zipOf(way) });
    const { proposed, warnings } = await previewOf(files);
    expect(warnings).toEqual([
      expect.stringMatching(/1 nodes between those of .*test\.index have no row in the files/),
    ]);
    const built = await runStep(ingestStep, { files }, proposed);
    const { numNodes, splits } = built.manifest.info as unknown as GraphInfo;
    expect(numNodes).toBe(14);
    expect(await rowsOf(built)).toEqual(truth.features);
    expect(await edgesOf(built)).toEqual(truth.edges);
    const classes = truth.classes.map((one, node) => (node === 11 ? -1 : one));
    expect(await arrayAt(built, "nodes/labels", "int32")).toEqual(classes);
    // Three rows of y, then those of allx, then what test.index names.
    expect(await arrayAt(built, "nodes/split", "int8")).toEqual([1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 0, 3, 3]);
    expect(splits).toEqual({ train: 3, val: 6, test: 4, none: 1 });
  });

  it("are read from single files too, and refused one by one where some are missing", async () => {
    const all = filesOf("py2");
    const { proposed } = await previewOf(await filesArtifact(all));
    expect(proposed).toMatchObject({ nodes: { features: { file: "ind.toy.graph/features.npz" } } });
    const { "ind.toy.ty": _, ...rest } = all;
    const { proposed: none, warnings } = await previewOf(await filesArtifact(rest));
    expect(none).toBeNull();
    expect(warnings).toContainEqual(expect.stringMatching(/ind\.toy\.allx is a Python pickle.*ind\.NAME\.x, \.y/));
  });

  it("that would run something are refused, with what it is", async () => {
    // pickle.dumps of an object whose __reduce__ is (os.system, ("true",))
    const evil = Buffer.from("\x80\x02cposix\nsystem\nU\x04true\x85R.", "latin1");
    const { proposed, warnings } = await previewOf(await filesArtifact({ ...filesOf("2"), "ind.toy.graph": evil }));
    expect(proposed).toBeNull();
    expect(warnings).toContainEqual(
      expect.stringMatching(/ind\.toy\.graph: it would run posix\.system; expected a file/),
    );
  });

  it("that do not fit together are refused", async () => {
    const index = Buffer.from("12\n9\n13\n3\n");
    const { warnings } = await previewOf(await filesArtifact({ ...filesOf("2"), "ind.toy.test.index": index }));
    expect(warnings).toContainEqual(
      expect.stringMatching(/test\.index: it names the node 3, which allx describes too/),
    );
  });
});

describe("the reader of pickles", () => {
  it.each([
    ["\x80\x02cbuiltins\neval\n.", /would run builtins\.eval/],
    ["\x80\x04\x8c\x02os\x8c\x06system\x93.", /would run os\.system/],
    ["\x80\x02U\x04eval.", null],
    ["\x80\x02P1\n.", /instruction 0x50 at byte 2/],
    ["\x80\x02T\xff\xff\xff\x7fab", /cut off/],
    ["\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\xffab", /cut off/],
    ["\x80\x02(((t.", /do not fit together/],
    ["\x80\x02e.", /do not fit together/],
    ["\x80\x02h\x07.", /recalls a value/],
    [`\x80\x02]${"N".repeat(2000)}.`, /more than 1000 values/],
    ["(lp0\n.", /protocol 0 or 1/],
  ])("takes %j for data alone", (text, refused) => {
    const reading = () => readPickle(Buffer.from(text, "latin1"), 1000);
    if (refused) expect(reading).toThrow(refused);
    else expect(reading()).toBe("eval");
  });

  it("ends every one of 6,000 damaged files with data or an error of its own", () => {
    const dice = new Dice(1, 0, 0);
    const files = ["py2", "2", "5"].flatMap((way) => Object.entries(filesOf(way)));
    const pickles = files.filter(([name]) => !name.endsWith(".index")).map(([, bytes]) => bytes);
    for (let i = 0; i < 6000; i++) {
      try {
        const value = readPickle(mutateBytes(dice, dice.pick(pickles)), 10_000);
        for (const read of [arrayOf, csrOf, (one: typeof value) => [...neighboursOf(one)]])
          expectPickleError(() => read(value));
      } catch (error) {
        expect(error).toBeInstanceOf(PickleError);
      }
    }
  });
});

function expectPickleError(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof PickleError)) throw error;
  }
}
