import { expect, test, vi } from "vitest";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { sharedRowsInMemory } from "../../src/dist/shared-rows.ts";
import { inProcessRowServices } from "../../src/dist-store/in-process-rows.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { noFeatures } from "../../src/features/no-features.ts";
import { always } from "../../src/graph/edge-times.ts";
import { numBefore } from "../../src/graph/timed-edges.ts";
import { dotDecoder } from "../../src/links/decoders/dot.ts";
import type { LinkLearning } from "../../src/links/link-task.ts";
import { binaryCrossEntropy } from "../../src/links/losses/binary-cross-entropy.ts";
import { uniformTail } from "../../src/links/negatives/uniform-tail.ts";
import { type LinkSplit, splitLinks } from "../../src/links/split-links.ts";
import { Trainer } from "../../src/train/trainer.ts";
import type { TrainerOptions, TrainerSetup } from "../../src/train/trainer-setup.ts";
import { randomFloats, seededRandom } from "../support/seeded-random.ts";

// Some seconds of work in all, which a machine with other work may stretch.
vi.setConfig({ testTimeout: 120_000 });

const numPeople = 400;
const numMeetings = 600;
const numNodes = numPeople + numMeetings;

/** Two people meet at random; a moment later a node of its own is linked with both, which gives the meeting away. */
async function meetings(): Promise<LinkSplit> {
  const random = seededRandom(7);
  const rows: [number, number, number][] = [];
  for (let i = 0; i < numMeetings; i++) {
    const one = Math.floor(random() * numPeople);
    const other = (one + 1 + Math.floor(random() * (numPeople - 1))) % numPeople;
    const witness = numPeople + i;
    rows.push([one, other, 10 * i], [one, witness, 10 * i + 1], [other, witness, 10 * i + 1]);
  }
  const end = (place: 0 | 1) => Int32Array.from(rows, (row) => row[place]);
  const codes = Int32Array.from({ length: numNodes }, (_, node) => Number(node >= numPeople));
  const split = await splitLinks(
    { src: end(0), dst: end(1), numNodes, directed: false, nodeTypes: { codes, names: ["person", "witness"] } },
    {
      sides: { type: "time", times: rows.map(([, , time]) => time), val: 0.1, test: 0.2 },
      negatives: { perLink: 2, seed: 0 },
    },
  );
  return betweenPeople(split);
}

/** Only meetings are learnt and judged; all links of training carry messages. */
function betweenPeople(split: LinkSplit): LinkSplit {
  const isPair = (dst: Int32Array, src: Int32Array) => (i: number) => src[i]! < numPeople && dst[i]! < numPeople;
  const places = ({ src, dst }: LinkSplit["train"]) => Int32Array.from(src.keys()).filter(isPair(dst, src));
  const kept = (pairs: LinkSplit["train"]) => ({
    src: places(pairs).map((i) => pairs.src[i]!),
    dst: places(pairs).map((i) => pairs.dst[i]!),
  });
  const heldOut = ({ positives, negatives }: LinkSplit["val"]) => ({
    positives: kept(positives),
    negatives: kept(negatives),
  });
  const train = Float64Array.from(places(split.train), (i) => split.times!.train[i]!);
  return {
    ...split,
    train: kept(split.train),
    times: { ...split.times!, train },
    val: heldOut(split.val),
    test: heldOut(split.test),
  };
}

function learning(split: LinkSplit): Pick<TrainerSetup, "data"> & { readonly links: LinkLearning } {
  const negatives = uniformTail({ perLink: 1, seed: 0, seen: split.seen, groups: split.groups });
  return {
    data: {
      graph: split.graph,
      features: new DenseFeatureStore(16, [randomFloats(numNodes * 16, 3)]),
      split: new Int8Array(numNodes),
    },
    links: { split, dim: 16, decoder: dotDecoder, loss: binaryCrossEntropy(), negatives },
  };
}

const options = (type: "temporal" | "neighbor"): TrainerOptions => ({
  model: { type: "gcn", options: { hiddenFeats: 16, numLayers: 1, dropout: 0 } },
  sampling: { type, options: { fanouts: [15] } },
  train: { epochs: 8, batchSize: 64, optimizer: { type: "adam", options: { lr: 0.02 } } },
});

/** Losses of the epochs and figures at the end, of each rank. */
async function train(setup: TrainerSetup, worldSize = 1) {
  const services = inProcessRowServices(worldSize);
  const sharedRows = sharedRowsInMemory();
  return Promise.all(
    loopbackGroup(worldSize).map(async (collective, rank) => {
      const place = { rank, worldSize, localRank: rank, numHosts: 1 };
      const context = { ...place, device: "cpu", threads: 1, collective, connectRows: async () => services[rank]! };
      const trainer = await Trainer.create({ ...setup, rank: context as never, sharedRows });
      const losses: number[] = [];
      const { metrics } = await trainer.fit({
        onEvent: (event) => {
          const loss = event.type === "metrics" ? event.values["train/loss"] : undefined;
          if (typeof loss === "number") losses.push(loss);
        },
      });
      trainer.dispose();
      return { losses, metrics };
    }),
  );
}

test("edges that come after a link and tell of it leave a model that draws from before at chance", async () => {
  const chance = 2 * Math.log(2);
  const given = learning(await meetings());
  const [blind] = await train({ ...given, options: options("temporal") });
  const [told] = await train({ ...given, options: options("neighbor") });
  // The leak is there: who hears of later edges learns from them.
  expect(told!.losses.at(-1)!).toBeLessThan(0.9 * chance);
  expect(blind!.losses.at(-1)!).toBeGreaterThan(0.95 * chance);
  expect(blind!.metrics["test/auc"]).toBeGreaterThan(0.4);
  expect(blind!.metrics["test/auc"]).toBeLessThan(0.6);
});

/** Facts that always hold join two people at random, and a node of its own, linked with both, gives each away. */
async function facts(witnessAt: (fact: number) => number): Promise<LinkSplit> {
  const random = seededRandom(13);
  const rows: [number, number, number][] = [];
  const anyone = () => Math.floor(random() * numPeople);
  for (let i = 0; i < numMeetings / 2; i++) {
    const one = anyone();
    const other = (one + 1 + Math.floor(random() * (numPeople - 1))) % numPeople;
    const witness = numPeople + i;
    rows.push([one, other, always], [one, witness, witnessAt(i)], [other, witness, witnessAt(i)]);
    // Links that have times, by which they are split.
    rows.push([anyone(), (anyone() + 1) % numPeople, 10 * i]);
  }
  const end = (place: 0 | 1) => Int32Array.from(rows, (row) => row[place]);
  const codes = Int32Array.from({ length: numNodes }, (_, node) => Number(node >= numPeople));
  const split = await splitLinks(
    { src: end(0), dst: end(1), numNodes, directed: false, nodeTypes: { codes, names: ["person", "witness"] } },
    {
      sides: { type: "time", times: rows.map(([, , time]) => time), val: 0.1, test: 0.1 },
      negatives: { perLink: 2, seed: 0 },
    },
  );
  const { train, times } = split;
  const learnt = Int32Array.from(train.src.keys()).filter(
    (i) => times!.train[i] === always && train.src[i]! < numPeople && train.dst[i]! < numPeople,
  );
  return {
    ...split,
    train: { src: learnt.map((i) => train.src[i]!), dst: learnt.map((i) => train.dst[i]!) },
    times: { ...times!, train: new Float64Array(learnt.length).fill(always) },
  };
}

test("links that have always been there are learnt from others that have, and told nothing by themselves or by what has a time", async () => {
  const chance = 2 * Math.log(2);
  const longer = { ...options("temporal"), train: { ...options("temporal").train, epochs: 30 } };
  const lossWith = async (split: LinkSplit) =>
    (await train({ ...learning(split), options: longer }))[0]!.losses.at(-1)!;
  expect(await lossWith(await facts(() => always))).toBeLessThan(0.9 * chance);
  expect(await lossWith(await facts((i) => 10 * i + 1))).toBeGreaterThan(0.95 * chance);
});

test("two ranks have one rank's losses and figures, with rows of the nodes that are learnt", async () => {
  const given = learning(await meetings());
  const setup = {
    ...given,
    data: { ...given.data, features: noFeatures(numNodes) },
    options: {
      ...options("temporal"),
      features: { embedding: { dim: 8 } },
      train: { ...options("temporal").train, epochs: 3 },
    },
  };
  const [one] = await train(setup);
  const two = await train(setup, 2);
  expect(one!.losses).toHaveLength(3);
  for (const [epoch, loss] of one!.losses.entries()) {
    expect(Math.abs(two[0]!.losses[epoch]! / loss - 1)).toBeLessThan(1e-5);
  }
  expect(two[1]!.metrics).toEqual(two[0]!.metrics);
  for (const [name, value] of Object.entries(one!.metrics)) expect(two[0]!.metrics[name]).toBeCloseTo(value!, 3);
});

test("what links are judged by is all that a draw from before any of them could find", async () => {
  const { graph, times, val, test: heldOut } = await meetings();
  expect(val.positives.src.length).toBeGreaterThan(10);
  expect(heldOut.positives.src.length).toBeGreaterThan(10);
  // The first link held out is one of the last three in ten of 1,800, and all of them are as new.
  const first = 10 * Math.floor(0.7 * numMeetings) - 10;
  for (let node = 0; node < numNodes; node++) {
    expect(numBefore(times!.messages, node, first + 10)).toBe(
      times!.messages.indptr[node + 1]! - times!.messages.indptr[node]!,
    );
  }
  expect(times!.messages.indices.length).toBe(graph.numEdges);
});

test("a row that repeats an old link among those held out, or turns it around, carries no message", async () => {
  const src = Int32Array.of(0, 1, 2, 0, 1, 3);
  const dst = Int32Array.of(1, 2, 3, 1, 0, 0);
  const split = await splitLinks(
    { src, dst, numNodes: 4, directed: true },
    {
      sides: { type: "time", times: [1, 2, 3, 8, 9, 7], val: 0, test: 0.25 },
      negatives: { perLink: 1, seed: 0 },
    },
  );
  expect([...split.test.positives.src]).toEqual([3]);
  expect(split.graph.numEdges).toBe(3);
  expect(split.times).toEqual({
    // The pair 1 → 0 is of a link as old as 0 → 1.
    train: Float64Array.of(1, 2, 3, 1),
    messages: {
      indptr: Int32Array.of(0, 0, 1, 2, 3),
      indices: Int32Array.of(0, 1, 2),
      times: Float64Array.of(1, 2, 3),
    },
  });
});

test("links without times, and columns that count later edges, are refused with their place", async () => {
  const given = learning(await meetings());
  const links = { ...given.links, split: { ...given.links.split, times: null } };
  const setup = { ...given, options: options("temporal") };
  await expect(Trainer.create({ ...setup, links })).rejects.toMatchObject({ place: { pointer: "/sampling/type" } });
  const structural = { ...setup, options: { ...setup.options, features: { structural: {} } } };
  await expect(Trainer.create(structural)).rejects.toMatchObject({ place: { pointer: "/features/structural" } });
});
