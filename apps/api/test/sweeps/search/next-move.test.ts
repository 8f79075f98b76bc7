import { describe, expect, it } from "vitest";
import { bestOf } from "../../../src/sweeps/best-setting.ts";
import { nextMove } from "../../../src/sweeps/search/next-move.ts";
import type { SearchState } from "../../../src/sweeps/search/search-state.ts";
import type { SearchTrial } from "../../../src/sweeps/search/search-trials.ts";
import { summariesOf } from "../../../src/sweeps/sweep-summary.ts";

const judge = { metric: "accuracy", direction: "max" } as const;

function searchOver(numCandidates: number, changes: Partial<SearchState> = {}): SearchState {
  return {
    budgetSeconds: 600,
    atOnce: 2,
    firstSeed: 0,
    numFolds: 1,
    numRows: null,
    candidates: Array.from({ length: numCandidates }, (_, i) => {
      return { title: `candidate ${i}`, changes: {}, epochs: 100, firstEpochs: 100 };
    }),
    numTried: 0,
    rounds: [{ entries: [], numSeeds: 1 }],
    bracket: { firstRound: 0, fromMs: 0 },
    usedMs: 0,
    decisions: [],
    ...changes,
  };
}

/** A service on which every trial of a candidate takes so long and comes to so much, by its epochs and seed. */
interface Played {
  readonly secondsOf: (candidate: number, epochs: number) => number;
  readonly valueOf: (candidate: number, epochs: number, seed: number) => number | null;
}

interface PlayedTrial {
  id: string;
  candidate: number;
  epochs: number;
  setting: number;
  seed: number;
  state: SearchTrial["state"];
  desired: SearchTrial["desired"];
  /** Where its training ends, if that was asked for */
  lastMs: number | null;
  startedMs: number | null;
  trainedMs: number | null;
  endedMs: number | null;
}

interface Conditions {
  /** Each step is taken by a process that knows what is stored alone. */
  readonly forget?: boolean;
  /** How long a training goes on that is to end */
  readonly endsWithinMs?: number;
  /** What comes behind a training */
  readonly tailMs?: number;
}

/** Plays a search to its end, second by second: as many trials run at once as it may have open. */
function play(start: SearchState, { secondsOf, valueOf }: Played, conditions: Conditions = {}) {
  const { forget = false, endsWithinMs = 1000, tailMs = 0 } = conditions;
  let state = start;
  let ms = 0;
  const trials: PlayedTrial[] = [];
  // Candidates that have not been tried may change their order.
  const placeIn = ({ candidates }: SearchState, index: number) =>
    start.candidates.findIndex(({ title }) => title === candidates[index]?.title);
  const isOpen = (trial: PlayedTrial) => trial.state === "QUEUED" || trial.state === "RUNNING";
  const dateOf = (at: number | null) => (at === null ? null : new Date(at));
  const rows = (): SearchTrial[] =>
    trials.map(({ id, setting, seed, candidate, epochs, state: now, desired, startedMs, trainedMs, endedMs }) => {
      const played = now === "SUCCEEDED" ? valueOf(candidate, epochs, seed) : null;
      // No number: it has ended well, and was judged by nothing.
      const value = Number.isNaN(played) ? null : played;
      return {
        id,
        setting,
        seed,
        state: now,
        desired,
        validation: value,
        result: value,
        startedAt: dateOf(startedMs),
        trainedAt: dateOf(trainedMs),
        finishedAt: dateOf(endedMs),
      };
    });
  for (let hasEnded = false; !hasEnded; ms += 1000) {
    if (ms > 10_000_000) throw new Error("The search does not end.");
    for (const trial of trials.filter(isOpen).slice(0, start.atOnce)) {
      trial.startedMs ??= ms;
      trial.state = "RUNNING";
      const endMs = trial.startedMs + secondsOf(trial.candidate, trial.epochs) * 1000;
      if (ms < Math.min(endMs, trial.lastMs ?? endMs)) continue;
      trial.trainedMs ??= ms;
      if (ms < trial.trainedMs + tailMs) continue;
      trial.endedMs = ms;
      trial.state = valueOf(trial.candidate, trial.epochs, trial.seed) === null ? "FAILED" : "SUCCEEDED";
    }
    // A leader that was killed knows what is stored, and nothing else.
    const known = forget ? structuredClone(state) : state;
    const move = nextMove({ state: known, jobs: rows(), usedMs: ms, judge });
    if (!move) continue;
    for (const id of move.cancel) {
      const trial = trials.find((one) => one.id === id);
      if (trial) Object.assign(trial, { state: "CANCELLED", endedMs: ms });
    }
    for (const id of move.endTraining) {
      const trial = trials.find((one) => one.id === id);
      if (trial) Object.assign(trial, { desired: "END_TRAINING", lastMs: ms + endsWithinMs });
    }
    for (const trial of move.submit) {
      const id = `job_${trials.length}`;
      const candidate = placeIn(move.state, trial.candidate);
      trials.push({
        ...trial,
        candidate,
        id,
        state: "QUEUED",
        desired: "RUN",
        lastMs: null,
        startedMs: null,
        trainedMs: null,
        endedMs: null,
      });
    }
    const mostOpen = Math.max(start.atOnce, move.submit.length);
    if (move.submit.length > 0) expect(trials.filter(isOpen).length).toBeLessThanOrEqual(mostOpen);
    state = move.state;
    hasEnded = move.hasEnded;
  }
  const last = state.rounds.at(-1)?.entries.map(({ candidate }) => placeIn(state, candidate)) ?? [];
  const settings = Array.from({ length: 100 }, () => ({ changes: {}, title: "" }));
  const best = bestOf(summariesOf(settings, rows()), judge)?.setting;
  const winner = trials.find(({ setting }) => setting === best)?.candidate ?? null;
  return { state, trials, last, winner, seconds: ms / 1000 };
}

describe("a search", () => {
  const usual = { secondsOf: () => 10, valueOf: (candidate: number) => 0.5 + candidate / 100 };

  it("tries every candidate once where there is time, thrice the best third, five times the best few", () => {
    const { trials, last, state } = play(searchOver(12), usual);
    const timesTried = Array.from({ length: 12 }, (_, i) => trials.filter(({ candidate }) => candidate === i).length);
    expect(timesTried).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 5, 5]);
    expect(last).toEqual([11, 10]);
    expect(new Set(trials.map(({ setting, seed }) => `${setting}/${seed}`)).size, "nothing is tried twice").toBe(
      trials.length,
    );
    expect(state.decisions[0]).toMatch(
      /^Round 1, after .* 12 of 12 settings with a result\. By accuracy .* go on, each with 3 seeds: candidate 11 \(0\.6100\); /,
    );
    expect(state.decisions.at(-1)).toMatch(/^The search has ended after .* before its time was up\.$/);
  });

  it("keeps to its time, whatever trials take, and says what was stopped or not tried", () => {
    for (const [seconds, budgetSeconds] of [
      [40, 600],
      [1, 60],
      [90, 300],
    ] as const) {
      const played = play(searchOver(30, { budgetSeconds }), { ...usual, secondsOf: () => seconds });
      expect(played.seconds).toBeLessThanOrEqual(budgetSeconds + 2);
      expect(played.last.length).toBeGreaterThan(0);
      expect(played.state.decisions[0]).toMatch(/not tried yet, for want of time|30 of 30/);
    }
  });

  it("ends a training that outlasts its round where it is, so that it counts, and stops it if it goes on all the same", () => {
    const slow = { ...usual, secondsOf: (candidate: number) => (candidate === 5 ? 5000 : 10) };
    const ended = play(searchOver(6), slow);
    expect(ended.trials.find(({ candidate }) => candidate === 5)).toMatchObject({
      state: "SUCCEEDED",
      desired: "END_TRAINING",
      endedMs: 271_000,
    });
    expect(ended.state.decisions[0]).toMatch(/6 of 6 settings with a result, 1 trial ended early/);
    expect(ended.last, "it is the best of them").toContain(5);
    const stopped = play(searchOver(6), slow, { endsWithinMs: Number.POSITIVE_INFINITY });
    expect(stopped.trials.find(({ candidate }) => candidate === 5)).toMatchObject({
      state: "CANCELLED",
      endedMs: 360_000,
    });
    expect(stopped.state.decisions[0]).toMatch(/5 of 6 settings with a result, 1 trial stopped, as the round's time/);
  });

  it("ends trainings that outlast its time where they are shortly before it is used up, and goes by what they came to", () => {
    const { winner, trials, seconds, state } = play(searchOver(3, { budgetSeconds: 60 }), {
      ...usual,
      secondsOf: () => 800,
    });
    expect(seconds).toBeLessThan(60);
    expect(winner).toBe(1);
    expect(trials.map(({ desired, endedMs }) => [desired, endedMs])).toEqual([
      ["END_TRAINING", 49_000],
      ["END_TRAINING", 49_000],
    ]);
    expect(state.decisions.at(-1)).toMatch(/^The search has ended after .* and 2 trials/);
  });

  it("ends trainings as long before its time is up as what comes behind them takes, and is then over in any case", () => {
    const secondsOf = (candidate: number, epochs: number) => (epochs === 20 ? 60 + candidate : 5000);
    const candidates = searchOver(2).candidates.map((each) => ({ ...each, firstEpochs: 20 }));
    const inTime = play(searchOver(2, { candidates }), { ...usual, secondsOf }, { tailMs: 90_000 });
    const asked = inTime.trials.filter(({ desired, startedMs }) => desired === "END_TRAINING" && startedMs !== null);
    // 600 s without 1.25 × 90 s and 3 s
    expect(asked.map(({ trainedMs }) => trainedMs)).toEqual([486_000, 486_000]);
    expect(asked.every(({ state }) => state === "SUCCEEDED")).toBe(true);
    expect(inTime.seconds).toBeLessThan(600);
    const conditions = { tailMs: 90_000, endsWithinMs: Number.POSITIVE_INFINITY };
    const late = play(searchOver(2, { candidates }), { ...usual, secondsOf }, conditions);
    expect(late.seconds).toBeLessThanOrEqual(602);
    expect(late.trials.filter(({ state }) => state === "CANCELLED").length).toBeGreaterThan(0);
    expect(late.winner, "the better one of the first round").toBe(1);
  });

  it("ends the others where they are when one has ended by itself and its round's time is used up", () => {
    const secondsOf = (candidate: number) => (candidate === 0 ? 200 : 5000);
    const { trials, winner } = play(searchOver(2), { ...usual, secondsOf });
    expect(trials.filter(({ candidate }) => candidate === 1)[0]).toMatchObject({
      desired: "END_TRAINING",
      endedMs: 271_000,
    });
    expect(winner).toBe(1);
  });

  it("is given up when nothing has come to a result in twice its time, and says so", () => {
    const stuck = { ...usual, secondsOf: () => Number.POSITIVE_INFINITY };
    const { state, seconds } = play(searchOver(3, { budgetSeconds: 60 }), stuck, {
      endsWithinMs: Number.POSITIVE_INFINITY,
    });
    expect(seconds).toBeLessThan(125);
    expect(state.decisions.at(-1)).toMatch(
      /^No trial of 2 had come to a result after 2 min 1 s; give the search more time/,
    );
  });

  it("gives the time that is left to what it has not tried, first to what is like the best so far", () => {
    const candidates = searchOver(60).candidates.map((each, i) =>
      i < 50 ? each : { ...each, title: `candidate 13, variation ${i}` },
    );
    // The best of those that there is time for at first is 13, of all 53.
    const valueOf = (candidate: number) => (candidate === 53 ? 0.9 : candidate === 13 ? 0.8 : candidate / 100);
    const { trials, winner, state, seconds } = play(searchOver(60, { candidates }), { secondsOf: () => 15, valueOf });
    const firstOf = (candidate: number) => trials.findIndex((trial) => trial.candidate === candidate);
    const further = trials.slice(firstOf(50)).map(({ candidate }) => candidate);
    expect(further.slice(0, 4), "variations of candidate 13").toEqual([50, 51, 52, 53]);
    expect(further.filter((candidate) => candidate === 53)).toHaveLength(5);
    expect(winner).toBe(53);
    expect(seconds).toBeLessThanOrEqual(602);
    expect(state.decisions.join(" ")).toMatch(/there is time left for more .* those first that are like candidate 13/);
  });

  it("gives the survivors of short first trials all their epochs, as settings of their own", () => {
    const candidates = searchOver(6).candidates.map((one) => ({ ...one, firstEpochs: 20 }));
    // By few epochs candidate 0 looks best; by all of them candidate 1 is.
    const valueOf = (candidate: number, epochs: number) =>
      epochs === 20 ? 0.9 - candidate / 10 : candidate === 1 ? 0.95 : 0.5;
    const { trials, last } = play(searchOver(6, { candidates }), { secondsOf: (_, epochs) => epochs / 10, valueOf });
    expect(last[0]).toBe(1);
    const settingsOf = (epochs: number) =>
      new Set(trials.filter((one) => one.epochs === epochs).map(({ setting }) => setting));
    expect([...settingsOf(20)].some((setting) => settingsOf(100).has(setting))).toBe(false);
    expect(trials.filter(({ candidate, epochs }) => candidate === 1 && epochs === 100)).toHaveLength(5);
  });

  it("gives two that are nearly alike two seeds each where there is no time for three, and the better one more", () => {
    // One seed puts candidate 0 ahead by chance; the second one shows that 1 is better.
    const valueOf = (candidate: number, _: number, seed: number) =>
      candidate === 0 ? (seed === 0 ? 0.8 : 0.7) : candidate === 1 ? 0.79 : 0.3;
    const { trials, winner } = play(searchOver(4), { secondsOf: () => 130, valueOf });
    const seedsOf = (index: number) => trials.filter(({ candidate }) => candidate === index).length;
    expect([seedsOf(0), seedsOf(1), seedsOf(2)]).toEqual([2, expect.any(Number), 1]);
    expect(seedsOf(1)).toBeGreaterThan(2);
    expect(winner).toBe(1);
    const apart = play(searchOver(4), { secondsOf: () => 130, valueOf: (candidate) => 0.8 - candidate / 10 });
    expect(
      apart.trials.filter(({ candidate }) => candidate === 1),
      "far behind the best",
    ).toHaveLength(1);
  });

  it("goes on with the more advisable one where few rows do not tell it from the best, and there is time for one", () => {
    const valueOf = (candidate: number) => [0.78, 0.79, 0.6, 0.5][candidate] as number;
    const secondsOf = (candidate: number) => [268, 110, 50, 50][candidate] as number;
    // √(0.79 · 0.21 / 370) = 0.021, of 10,000 rows 0.004
    const seeds = (numRows: number | null) => {
      const { trials, winner } = play(searchOver(4, { numRows }), { secondsOf, valueOf });
      return { winner, ofFirst: trials.filter(({ candidate }) => candidate === 0).length };
    };
    expect(seeds(370).ofFirst).toBeGreaterThan(1);
    expect(seeds(10_000)).toEqual({ winner: 1, ofFirst: 1 });
    expect(seeds(null)).toEqual(seeds(10_000));
  });

  it("goes on without candidates that fail, and ends when all do", () => {
    const half = play(searchOver(6), { ...usual, valueOf: (candidate) => (candidate % 2 === 1 ? null : candidate) });
    expect(half.last.every((candidate) => candidate % 2 === 0)).toBe(true);
    expect(half.state.decisions[0]).toMatch(/3 trials failed/);
    const none = play(searchOver(3), { ...usual, valueOf: () => null });
    expect(none.state.decisions.at(-1)).toMatch(/^No trial of 3 has succeeded/);
  });

  it("says that there is nothing to choose by, where trials succeed and no validation row has a label", () => {
    const blind = play(searchOver(3), { ...usual, valueOf: () => Number.NaN });
    expect(blind.state.decisions.at(-1)).toMatch(/^3 trials of 3 succeeded, but none has accuracy on a validation set/);
  });

  it("is the same search when every step is taken by another process that knows what is stored", () => {
    const noisy = {
      secondsOf: (c: number) => 5 + c,
      valueOf: (c: number, _: number, seed: number) => Math.sin(c * 7 + seed * 3),
    };
    const [one, other] = [play(searchOver(20), noisy), play(searchOver(20), noisy, { forget: true })];
    expect(other).toEqual(one);
  });
});
