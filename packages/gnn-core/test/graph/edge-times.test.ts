import { describe, expect, it } from "vitest";
import { always, placesAmong, placesOfTimes, timesOfPlaces } from "../../src/graph/edge-times.ts";

describe("times of edges", () => {
  it("are numbered in their order, equal ones alike, and what has always been there before all", () => {
    expect([...placesAmong(Float64Array.of(7, -3, always, 7, 1e300, -3))]).toEqual([1, 0, -1, 1, 2, 0]);
    expect([...placesAmong(Float64Array.of(always, always))]).toEqual([-1, -1]);
    expect([...placesAmong(new Float64Array())]).toEqual([]);
  });

  it("come back from artifacts as they were", () => {
    const times = Float64Array.of(0, always, 5);
    expect([...placesOfTimes(times)]).toEqual([0, -1, 5]);
    expect(timesOfPlaces(placesOfTimes(times))).toEqual(times);
  });
});
