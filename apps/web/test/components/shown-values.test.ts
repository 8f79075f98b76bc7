import { expect, it } from "vitest";
import { shownValues } from "../../src/components/NodeLookup/shown-values.ts";

it("shows the columns of a prediction in their order, and of the classes the five likeliest", () => {
  const classes = Object.fromEntries([3, 1, 4, 2, 6, 5].map((share, c) => [`p_${c}`, share / 21]));
  const shown = shownValues({ label: null, predicted: "4", confidence: 6 / 21, ...classes });
  expect(shown.map(({ label }) => label)).toEqual([
    "label",
    "predicted",
    "confidence",
    "p_4",
    "p_5",
    "p_2",
    "p_0",
    "p_3",
  ]);
  expect(shown[0]?.value).toBe("–");
  expect(shown[1]?.value).toBe("4");
});

it("shows nothing where nothing is predicted", () => {
  expect(shownValues(undefined)).toEqual([]);
});
