import { describe, expect, it } from "vitest";
import { nextMove, type SearchTrial } from "../../../src/sweeps/search/next-move.ts";
import type { SearchState } from "../../../src/sweeps/search/search-state.ts";

const judge = { metric: "accuracy", direction: "max" } as const;

function searchOver(numCandidates: number, changes: Partial<SearchState> = {}): SearchState {
  return {
    budgetSeconds: 600,
    atOnce: 2,
    firstSeed: 0,
    candidates: Array.from({ length: numCandidates }, (_, i) => {
      return { title: `candidate ${i}`, changes: {}, epochs: 100, firstEpochs: 100 };
    }),
    numTried: 0,
    rounds: [{ entries: [], numSeeds: 1 }],
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
  startedMs: number | null;
  endedMs: number | null;
}

/** Plays a search to its end, second by second: as many trials run at once as it may have open. */
function play(start: SearchState, { secondsOf, valueOf }: Played, forget = false) {
  let state = start;
  let ms = 0;
  const trials: PlayedTrial[] = [];
  const isOpen = (trial: PlayedTrial) => trial.state === "QUEUED" || trial.state === "RUNNING";
  const rows = (): SearchTrial[] =>
    trials.map(({ id, setting, seed, candidate, epochs, state: now, startedMs, endedMs }) => {
      const played = now === "SUCCEEDED" ? valueOf(candidate, epochs, seed) : null;
      // No number: it has ended well, and was judged by nothing.
      const value = Number.isNaN(played) ? null : played;
      return {
        id,
        setting,
        seed,
        state: now,
        validation: value,
        result: value,
        startedAt: startedMs === null ? null : new Date(startedMs),
        finishedAt: endedMs === null ? null : new Date(endedMs),
      };
    });
  for (let hasEnded = false; !hasEnded; ms += 1000) {
    if (ms > 10_000_000) throw new Error("The search does not end.");
    for (const trial of trials.filter(isOpen).slice(0, start.atOnce)) {
      trial.startedMs ??= ms;
      trial.state = "RUNNING";
      if (ms - trial.startedMs < secondsOf(trial.candidate, trial.epochs) * 1000) continue;
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
    for (const trial of move.submit) {
      const id = `job_${trials.length}`;
      trials.push({ ...trial, id, state: "QUEUED", startedMs: null, endedMs: null });
    }
    expect(trials.filter(isOpen).length).toBeLessThanOrEqual(Math.max(start.atOnce, move.submit.length));
    state = move.state;
    hasEnded = move.hasEnded;
  }
  const last = state.rounds.at(-1)?.entries.map(({ candidate }) => candidate) ?? [];
  return { state, trials, last, seconds: ms / 1000 };
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
      expect(played.state.decisions[0]).toMatch(/not tried for want of time|30 of 30/);
    }
    const slow = play(searchOver(6), { ...usual, secondsOf: (candidate) => (candidate === 5 ? 5000 : 10) });
    expect(slow.trials.find(({ candidate }) => candidate === 5)?.state).toBe("CANCELLED");
    expect(slow.state.decisions[0]).toMatch(/1 trial stopped, as the round's time was used up/);
  });

  it("waits for the first result even when the round's time is used up", () => {
    const { last, seconds } = play(searchOver(3, { budgetSeconds: 60 }), { ...usual, secondsOf: () => 100 });
    expect(seconds).toBeLessThan(110);
    expect(last).toEqual([0, 1]);
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
    const [one, other] = [play(searchOver(20), noisy), play(searchOver(20), noisy, true)];
    expect(other).toEqual(one);
  });
});
