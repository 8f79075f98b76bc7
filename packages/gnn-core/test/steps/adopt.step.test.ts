import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { readNpy } from "../../src/io/npy.ts";
import { gcn } from "../../src/models/gcn.model.ts";
import { modelInfo } from "../../src/spec/model-info.ts";
import { adoptStep } from "../../src/steps/adopt.step.ts";
import { inferStep } from "../../src/steps/infer.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { GoldenCase } from "../golden/golden-file.ts";
import { writeGraphArtifact } from "../support/graph-artifact.ts";
import { filesArtifact, runStep, temporaryDir } from "../support/run-step.ts";
import { type HandmadeTensor, handmade } from "./support/handmade-safetensors.ts";
import { plainCard } from "./support/plain-card.ts";

function infoOf({
  inDim = 2,
  outDim = 3,
  ...more
}: Record<string, unknown> & { inDim?: number; outDim?: number } = {}) {
  const model = { type: "gcn", options: gcn.options.parse({ numLayers: 1 }) };
  return modelInfo.parse(plainCard({ inDim, outDim, model, ...more }));
}

const weight: HandmadeTensor = { name: "layers.0.weight", shape: [2, 3], values: [1, 2, 3, 4, 5, 6] };
const bias: HandmadeTensor = { name: "layers.0.bias", shape: [3], values: [7, 8, 9] };

async function adopted(files: Record<string, string | Uint8Array>, info: object = infoOf()) {
  return runStep(adoptStep, { files: await filesArtifact({ "card.json": "{}", ...files }) }, { info });
}

describe("weights that were trained elsewhere", () => {
  it("give the rows that DGL and PyTorch gave", async () => {
    const golden = new GoldenCase("graph_conv", "both-symmetric");
    const x = golden.get("x");
    const [numNodes = 0, inDim = 0] = x.shape;
    const { shape, values } = golden.get("param.weight");
    const outDim = shape[1] ?? 0;
    const model = await adopted(
      {
        "model.safetensors": handmade([
          { name: "layers.0.bias", shape: [outDim], values: golden.get("param.bias").values },
          { name: "layers.0.weight", shape, values },
        ]),
      },
      infoOf({ inDim, outDim }),
    );
    const [src, dst] = [golden.ints("src"), golden.ints("dst")];
    const edges = [...src].map((u, i) => [u, dst[i] ?? 0] as const).filter(([u, v]) => u !== v);
    const rows = Array.from({ length: numNodes }, (_, v) => [...x.values.subarray(v * inDim, (v + 1) * inDim)]);
    const given = { numNodes, edges, features: { kind: "dense", rows }, labels: rows.map(() => 0) } as const;
    const graph = await writeGraphArtifact(await temporaryDir("graph"), given);
    const parts = await runStep(partitionStep, { graph }, { partition: { type: "random", options: { numParts: 1 } } });
    const inferred = await runStep(inferStep, { parts, model }, {});
    const { values: logits } = await readNpy(join(inferred.dir, "logits.npy"), "float32");
    const { values: nodeOf } = await readNpy(join(parts.dir, "node_map.npy"), "int32");
    const expected = golden.get("out_f64").values;
    for (const [row, node] of nodeOf.entries())
      for (let d = 0; d < outDim; d++)
        expect(logits[row * outDim + d]).toBeCloseTo(expected[node * outDim + d] ?? Number.NaN, 5);
  });

  it("are written in the model's order, whatever order and notes the file had", async () => {
    const plain = await adopted({ "model.safetensors": handmade([weight, bias]) });
    const turned = await adopted({
      "model.safetensors": handmade([bias, weight], { header: { __metadata__: { format: "pt" } } }),
    });
    expect(turned.manifest.digest).toBe(plain.manifest.digest);
    expect(plain.manifest.info).toMatchObject({
      weights: [
        { name: "layers.0.weight", shape: [2, 3] },
        { name: "layers.0.bias", shape: [3] },
      ],
    });
  });

  it("come from Python's standard library as the guide has it", async () => {
    const guide = readFileSync(new URL("../../../../docs/guides/bringing-models.md", import.meta.url), "utf8");
    const [, program = ""] = /```python\n(import json[^]*?)```/.exec(guide) ?? [];
    const dir = await temporaryDir("python");
    writeFileSync(join(dir, "bring.py"), program);
    execFileSync("python3", ["bring.py"], { cwd: dir });
    const card = JSON.parse(await readFile(join(dir, "model/card.json"), "utf8"));
    expect(card.spec.model).toEqual({ type: "gcn", options: { numLayers: 1 } });
    const made = await adopted({ "model.safetensors": await readFile(join(dir, "model/model.safetensors")) });
    expect(made.manifest.blobs.map(({ name }) => name)).toEqual(["model.safetensors"]);
  });

  it("bring the mean and scale of their features, and further evaluations that were kept", async () => {
    const fitted = handmade([
      { name: "0.mean", shape: [2], values: [1, 2] },
      { name: "0.scale", shape: [2], values: [3, 4] },
    ]);
    const info = infoOf({ transforms: ["standardize"], kept: [1, 2, 3].map((epoch) => ({ epoch, metric: 0.5 })) });
    const weights = handmade([weight, bias]);
    const files = { "model.safetensors": weights, "transforms.safetensors": fitted, "best-1.safetensors": weights };
    const { manifest } = await adopted(files, info);
    expect(manifest.blobs.map(({ name }) => name)).toEqual([
      "best-1.safetensors",
      "model.safetensors",
      "transforms.safetensors",
    ]);
    expect(manifest.info).toMatchObject({ kept: [{ epoch: 1 }, { epoch: 2 }] });
    await expect(adopted({ "model.safetensors": weights }, info)).rejects.toMatchObject({
      code: "MODEL_INVALID",
      place: { file: "transforms.safetensors" },
    });
  });
});

describe("weights that are not those of the card's model are refused, with the tensor's name", () => {
  const { name } = weight;
  test.each<[string, HandmadeTensor[], { field: string; message: RegExp }]>([
    ["one is missing", [weight], { field: "layers.0.bias", message: /lacks the tensor layers\.0\.bias \[3\]/ }],
    ["one is unknown", [weight, bias, { ...bias, name: "extra" }], { field: "extra", message: /no tensor extra/ }],
    ["one lies the other way", [{ ...weight, shape: [3, 2] }, bias], { field: name, message: /\[3, 2\].*\[2, 3\]/ }],
    ["one is flat", [{ ...weight, shape: [6] }, bias], { field: name, message: /has the shape \[6\]/ }],
    [
      "one is not a number",
      [{ ...weight, values: [1, 2, Number.NaN, 4, 5, 6] }, bias],
      { field: name, message: /value 2 .*NaN/ },
    ],
    ["one is infinite", [weight, { ...bias, values: [1, 2, -1 / 0] }], { field: bias.name, message: /-Infinity/ }],
    [
      "one is of whole numbers",
      [weight, { ...bias, dtype: "I32" }],
      { field: bias.name, message: /I32; expected F32/ },
    ],
  ])("%s", async (_, tensors, { field, message }) => {
    const refused = adopted({ "model.safetensors": handmade(tensors) });
    await expect(refused).rejects.toMatchObject({
      code: "MODEL_INVALID",
      message: expect.stringMatching(message),
      place: { file: "model.safetensors", field },
    });
  });

  it("when the card describes a model that is larger than any memory, before it is built", async () => {
    const info = infoOf({ inDim: 1e12, outDim: 1e6 });
    await expect(adopted({ "model.safetensors": handmade([weight, bias]) }, info)).rejects.toMatchObject({
      code: "MODEL_INVALID",
      message: expect.stringMatching(/the model of the card has \d+ weights/),
    });
  });

  it("when a file is none of a model's, or the weights are not there", async () => {
    const weights = { "model.safetensors": handmade([weight, bias]) };
    await expect(adopted({ ...weights, "pytorch_model.bin": "x" })).rejects.toMatchObject({
      code: "MODEL_INVALID",
      place: { file: "pytorch_model.bin" },
    });
    await expect(adopted({})).rejects.toMatchObject({ place: { file: "model.safetensors" } });
  });
});

describe("files that lie about themselves are refused", () => {
  const entry = (offsets: readonly number[], more = {}) => ({
    dtype: "F32",
    shape: [3],
    data_offsets: offsets,
    ...more,
  });
  const two = (first: object, second: object) => JSON.stringify({ "layers.0.weight": first, "layers.0.bias": second });
  const whole = entry([0, 24], { shape: [2, 3] });
  const data = new Uint8Array(36);
  test.each<[string, { header?: string; length?: bigint; data?: Uint8Array }, RegExp]>([
    ["a header that is longer than the file", { length: 1n << 40n }, /header is cut off/],
    ["a header of more bytes than there may be", { header: `{"a":"${"x".repeat(5e6)}"}` }, /bytes, and may have/],
    ["a header of a negative length", { length: 0xffff_ffff_ffff_ffffn }, /header is cut off/],
    ["tensors that overlap", { header: two(whole, entry([12, 24])) }, /overlaps another/],
    ["a place behind the file's end", { header: two(whole, entry([24, 3600], { shape: [894] })) }, /does not fit/],
    ["a place that ends before it begins", { header: two(whole, entry([36, 24])) }, /does not fit/],
    [
      "bytes that belong to no tensor",
      { header: two(whole, entry([24, 36])), data: new Uint8Array(40) },
      /4 bytes at the end/,
    ],
    ["a gap in the middle", { header: two(whole, entry([28, 40])), data: new Uint8Array(40) }, /in front of/],
    [
      "a name that stands twice",
      { header: `{"a":${JSON.stringify(whole)},"a":${JSON.stringify(entry([24, 36]))}}` },
      /stands twice/,
    ],
    [
      "a field that stands twice",
      { header: `{"a":{"dtype":"F32","dtype":"F32","shape":[9],"data_offsets":[0,36]}}` },
      /stands twice/,
    ],
    ["a type that nobody knows", { header: two(whole, entry([24, 36], { dtype: "F31" })) }, /of type F31/],
    ["a type of half the bytes", { header: two(whole, entry([24, 30], { dtype: "F16" })) }, /of type F16/],
    [
      "a shape beyond all numbers",
      { header: two(whole, entry([24, 36], { shape: [2 ** 40, 2 ** 40, 2 ** 40] })) },
      /does not fit/,
    ],
    ["a shape of parts", { header: two(whole, entry([24, 36], { shape: [1.5, 2] })) }, /no type, shape or place/],
    ["notes that are no texts", { header: `{"__metadata__":{"a":{"b":1}}}` }, /metadata are no texts/],
    ["notes that pose as a tensor", { header: `{"__metadata__":${JSON.stringify(whole)}}` }, /metadata are no texts/],
    [
      "an object's own prototype as a name",
      { header: `{"__proto__":${JSON.stringify(entry([0, 36], { shape: [9] }))}}` },
      /lacks the tensor/,
    ],
    ["a header that is a list", { header: "[]" }, /is no object/],
    ["a header that is no JSON", { header: "{'a':1}" }, /is not JSON/],
    ["fewer bytes than a length", { data: new Uint8Array() }, /does not fit|cut off/],
  ])("%s", async (_, { header, length, data: given = data }, message) => {
    const bytes = handmade([], { text: header ?? two(whole, entry([24, 36])), length, data: given });
    await expect(adopted({ "model.safetensors": bytes })).rejects.toMatchObject({
      code: "MODEL_INVALID",
      message: expect.stringMatching(message),
      place: { file: "model.safetensors" },
    });
  });
});
