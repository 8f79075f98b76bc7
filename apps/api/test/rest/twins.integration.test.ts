import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";
import { readyDataset } from "../support/fixtures.ts";

const app = useApp();
let dataset: string;
let job: string;

const owner = { projectId: "default", createdBy: "admin" };
const at = new Date("2026-01-02T03:04:05.678Z");
const problem = {
  type: "https://hopwise.dev/errors/TRAIN_DIVERGED",
  title: "Training produced a value that is not a number",
  status: 422,
  code: "TRAIN_DIVERGED",
  detail: "The loss of step 3 is NaN.",
  pointer: "/train",
  retryable: false,
};
const partsInfo = {
  numParts: 2,
  numNodes: 4,
  numEdges: 6,
  nodeOffsets: [0, 2, 4],
  edgeOffsets: [0, 3, 6],
  partitioner: { type: "metis", options: {} },
  graph: {
    classes: ["a", "b"],
    features: { kind: "dense", dim: 3 },
    splits: { train: 2, val: 1, test: 1, none: 0 },
    idType: "string",
    directed: false,
  },
  report: {
    numParts: 2,
    edgeCut: 0.25,
    communicationVolume: 7,
    expectedRemoteReads: 1.5,
    imbalance: { nodes: 1, edges: 1, train: 1, val: 2, test: 2 },
    parts: [
      { part: 0, nodes: 2, edges: 3, trainNodes: 1, valNodes: 1, testNodes: 0, haloNodes: 1 },
      { part: 1, nodes: 2, edges: 3, trainNodes: 1, valNodes: 0, testNodes: 1, haloNodes: 2 },
    ],
    types: [
      { type: "author", nodes: [1, 2], edges: [0, 1], haloNodes: [0, 1] },
      { type: "paper", nodes: [1, 0], edges: [3, 2], haloNodes: [1, 1] },
    ],
  },
};

/** A job with something in every field that both surfaces show. */
async function fillJob(id: string): Promise<void> {
  const { prisma } = app().services;
  const place = { jobId: id, attempt: 1, stageIndex: 0, ...owner };
  await prisma.artifact.create({
    data: {
      id: "art_parts",
      ...place,
      kind: "parts",
      prefix: "made/parts",
      digest: "1".repeat(64),
      bytes: 2n ** 40n,
      info: partsInfo,
      blobs: [{ name: "node_map.npy", bytes: 144, sha256: "2".repeat(64), dtype: "int32", shape: [4] }],
    },
  });
  const progress = { phase: "cut", completed: 3n, total: 4n, unit: "parts", etaSeconds: 1.5 };
  await prisma.stage.updateMany({
    where: { jobId: id, kind: "partition" },
    data: { state: "FAILED", attempt: 1, ...progress, problem, startedAt: at, finishedAt: at, outputId: "art_parts" },
  });
  await prisma.metric.createMany({
    data: [1, 2, 3].map((step) => ({
      ...owner,
      jobId: id,
      attempt: 1,
      name: "train/loss",
      step,
      axis: "epoch",
      value: 1 / step,
      at,
    })),
  });
  await prisma.logLine.createMany({
    data: (["rank", "sampler"] as const).map((memberKind, i) => ({
      ...place,
      cursor: 7 + i,
      level: "warn",
      memberKind,
      memberIndex: 1,
      message: "slow",
      fields: { ms: 5 },
      at,
    })),
  });
  await prisma.job.update({
    where: { id },
    data: {
      state: "FAILED",
      attempt: 1,
      cursor: 8,
      problem,
      tags: { team: "risk" },
      note: "Too few epochs?\nTry 50.",
      startedAt: at,
      finishedAt: at,
    },
  });
}

beforeAll(async () => {
  dataset = await readyDataset(app());
  const spec = { version: 1, kind: "train", dataset, task: { target: "label" }, resources: { ranks: 2 } };
  job = (await app().admin.post("/v1/jobs").send(spec)).body.id;
  await fillJob(job);
});

async function graphql(query: string) {
  const { body } = await app().admin.post("/graphql").send({ query });
  expect(body.errors).toBeUndefined();
  return body.data;
}

async function rest(path: string) {
  const { status, body } = await app().admin.get(path);
  expect(status).toBe(200);
  return body;
}

/** REST leaves out what GraphQL has as null. */
function known(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(known);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  return Object.fromEntries(entries.map(([name, field]) => [name, known(field)]));
}

/** Every field that GraphQL was asked for is in the answer of REST, and says the same. */
function expectTwins(shown: object, asked: object): void {
  expect(known(shown)).toMatchObject(known(asked) as object);
}

const presetFields = "name situation model title summary spec";
const problemFields = "problem { type title status code detail pointer file line field retryable }";

describe("what REST and GraphQL say is the same, field by field", () => {
  it("of a job, its stages and its estimate", async () => {
    const asked = await graphql(`{ job(id: "${job}") {
      id name kind state spec tags starred note datasetName modelType numRanks result priority attempt cursor createdAt startedAt finishedAt ${problemFields}
      estimate { fits ranks memoryBytesPerRank memoryBytesPerSampler deviceBytesPerRank memoryBytes diskBytes seconds notes warnings
        stages { kind epoch } explanation { of what amount } }
      stages { index kind state cached attempt ranks phase completed total unit etaSeconds startedAt finishedAt
        ${problemFields} }
    } }`);
    expectTwins(await rest(`/v1/jobs/${job}`), asked.job);
    const { items } = await rest("/v1/jobs");
    const { stages: _stages, ...listed } = asked.job;
    expectTwins(items[0], listed);
  });

  it("of its series, log, partition and artifacts", async () => {
    const { job: asked } = await graphql(`{ job(id: "${job}") {
      series { name axis steps values }
      logs { lines { cursor at level attempt stageIndex member rank message fields } hasNextPage hasPreviousPage startCursor
        endCursor }
      partition { numParts edgeCut communicationVolume haloRatio expectedRemoteReads remoteReadsPerStep
        imbalance { nodes edges train val test }
        parts { part nodes edges trainNodes valNodes testNodes haloNodes haloRatio }
        types { type nodes edges haloNodes } }
      artifacts { id kind digest bytes attempt createdAt info url blobs { name bytes sha256 dtype shape } }
    } }`);
    expect(asked.series).toHaveLength(1);
    expect(asked.logs.lines).toHaveLength(2);
    expect(asked.artifacts).toHaveLength(1);
    expectTwins(await rest(`/v1/jobs/${job}/series`), asked.series);
    expectTwins(await rest(`/v1/jobs/${job}/logs`), asked.logs);
    expectTwins(await rest(`/v1/jobs/${job}/partition`), asked.partition);
    expectTwins((await rest(`/v1/jobs/${job}/artifacts`)).items, asked.artifacts);
  });

  it("of the lines of one member, by its name or, of a rank, its number", async () => {
    const asked = async (args: string) => {
      const fields = "level member memberKind rank message";
      return (await graphql(`{ job(id: "${job}") { logs(${args}) { lines { ${fields} } } } }`)).job.logs.lines;
    };
    const shown = async (query: string) => (await rest(`/v1/jobs/${job}/logs?${query}`)).lines;
    const sampler = { member: "sampler 1", memberKind: "sampler", rank: null };
    const rank = { member: "1", memberKind: "rank", rank: 1 };
    for (const [args, query, found] of [
      ['member: "sampler 1"', "member=sampler%201", [sampler]],
      ['member: "1"', "member=1", [rank]],
      ["rank: 1", "rank=1", [rank]],
      ["rank: 2", "rank=2", []],
      ['rank: 1, member: "sampler 1"', "rank=1&member=sampler%201", []],
    ] as const) {
      expect(await shown(query)).toMatchObject(found);
      const upper = found.map((one) => ({ ...one, memberKind: one.memberKind.toUpperCase() }));
      expect(await asked(args)).toMatchObject(upper);
    }
  });

  it("of a name that no member has: both refuse it", async () => {
    const { status, body } = await app().admin.get(`/v1/jobs/${job}/logs?member=rank%201`);
    expect([status, body.code]).toEqual([400, "REQUEST_INVALID"]);
    const query = `{ job(id: "${job}") { logs(member: "rank 1") { lines { cursor } } } }`;
    const { errors } = (await app().admin.post("/graphql").send({ query })).body;
    expect(errors).toMatchObject([{ message: body.detail, extensions: { code: "REQUEST_INVALID" } }]);
  });

  it("of a dataset, its versions and its graph", async () => {
    const { dataset: asked } = await graphql(`{ dataset(id: "${dataset}") {
      id name createdAt
      latest { id number ref contentHash state createdAt spec ${problemFields}
        sources: files { id name bytes sha256 createdAt }
        graph { numNodes numEdges directed classes multiLabel targets { name count mean deviation min max }
          labelCounts { label count } degreeHistogram { edges counts } }
        report { rowsRead duplicateEdges selfLoops danglingIds isolatedNodes warnings
          badRows { file line column found } }
        proposedPreset { reason preset { ${presetFields} } others { ${presetFields} } }
      }
    } }`);
    const shown = await rest(`/v1/datasets/${dataset}`);
    const { latest, ...asDataset } = asked;
    const { graph, report, proposedPreset, ...version } = latest;
    expectTwins(shown, { ...asDataset, versions: [version] });
    expectTwins(shown.versions[0].graph.info, graph);
    expectTwins(shown.versions[0].graph.info.report, report);
    expect(proposedPreset.reason).toContain("4 nodes");
    expectTwins(await rest(`/v1/datasets/${dataset}/preset`), proposedPreset);
  });

  it("of projects, keys, workers and the catalogue", async () => {
    const announcement = {
      slots: 2,
      cores: 4,
      memoryBytes: 1e9,
      isa: "avx2",
      labels: { zone: "a" },
      diskFreeBytes: 5e9,
    };
    const worker = { id: "w1", bootId: "b", host: "h", version: "0.1.0", build: "x", contract: 4, compatible: true };
    await app().services.prisma.worker.create({ data: { ...worker, announcement, lastSeen: new Date() } });
    const asked = await graphql(`{
      projects { id name createdAt }
      apiKeys { id name prefix role createdAt lastUsedAt expiresAt revokedAt }
      catalog { components { kind name version title summary reference optionsSchema task {
        name title seeds isDefault metrics { name title direction shownAs } chiefMetric selectionMetric } }
        presets { ${presetFields} } }
    }`);
    // Apart, as both together cost more than one query may.
    const { workers } = await graphql(`{
      workers { id host version build compatible reason state drained slots cores memoryBytes diskFreeBytes isa labels rankAddress
        firstSeen lastSeen devices { kind index name memoryBytes uuid computeCapability driverVersion migParent links { to kind } isEmulated use { memoryBytes utilization powerWatts } } running { jobId attempt stageIndex } }
    }`);
    expect([asked.projects.length, asked.apiKeys.length, workers.length]).toEqual([1, 1, 1]);
    expectTwins((await rest("/v1/projects")).items, asked.projects);
    const keys = asked.apiKeys.map((key: { role: string; lastUsedAt: string }) => {
      const { lastUsedAt: _changes, ...rest } = key;
      return { ...rest, role: key.role.toLowerCase() };
    });
    expectTwins((await rest("/v1/api-keys")).items, keys);
    expectTwins((await rest("/v1/workers")).items, workers);
    expectTwins(await rest("/v1/catalog"), asked.catalog);
  });
});
