// @vitest-environment happy-dom
import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { ReliabilityDiagram } from "../../src/components/ReliabilityDiagram/ReliabilityDiagram.tsx";
import { calibrationOf } from "../../src/services/calibration.ts";

afterEach(cleanup);

const before = {
  nodes: 1000,
  ece: 0.16,
  nll: 0.9,
  bins: [
    { bin: 7, count: 200, confidence: 0.5, accuracy: 0.5 },
    { bin: 14, count: 800, confidence: 0.98, accuracy: 0.78 },
  ],
};
const after = {
  nodes: 1000,
  ece: 0.02,
  nll: 0.61,
  bins: [{ bin: 10, count: 1000, confidence: 0.73, accuracy: 0.724 }],
};
const show = (calibration: object) =>
  render(
    <MantineProvider env="test">
      <ReliabilityDiagram calibration={calibrationOf({ calibration })!} />
    </MantineProvider>,
  );

test("a reader hears how sure the model is, how often it is right, and what the temperature does", () => {
  show({ temperature: 1.843, unfitted: null, val: { before, after }, test: { before, after } });
  const words = [
    // (200 · 0.5 + 800 · 0.98) / 1000 and (200 · 0.5 + 800 · 0.78) / 1000
    "The model is 88.4 % sure of its class on average and right for 72.4 % of 1,000 in the test set: too sure by 16.0 points.",
    "At the temperature 1.843, fitted on the validation set, it is 73.0 % sure: about as sure as it should be.",
  ];
  expect(screen.getByRole("img").getAttribute("aria-label")).toBe(`Reliability diagram. ${words.join(" ")}`);
  for (const line of words) screen.getByText(line);
  screen.getByText("16.0 % → 2.0 %");
  screen.getByText("0.9 → 0.61");
});

test("each bin has a bar as high as the model is right in it, and a ring before the temperature", () => {
  const { container } = show({ temperature: 1.8, unfitted: null, val: null, test: { before, after } });
  const bars = [...container.querySelectorAll("rect.bar, rect[class*='bar']")];
  expect(bars.map((bar) => Number(bar.getAttribute("height")) / 240)).toEqual([0.724]);
  expect(bars[0]!.textContent).toBe("67 % to 73 % sure: 1,000 nodes, 73.0 % on average, right for 72.4 %");
  expect(container.querySelectorAll("circle")).toHaveLength(2);
});

test.each([
  ["noValidation", /no validation set/],
  ["allRight", /All of the validation set is right/],
  ["outOfRange", /No temperature from 0.01 to 100/],
])("without a temperature (%s) the page says why", (unfitted, words) => {
  show({ temperature: null, unfitted, val: null, test: { before, after: null } });
  screen.getByText(words);
  screen.getByText("16.0 %");
});

test("models without a calibration show none, and without a test set the validation set is shown", () => {
  expect(calibrationOf({})).toBeNull();
  expect(calibrationOf({ calibration: null })).toBeNull();
  expect(
    calibrationOf({ calibration: { temperature: null, unfitted: "noValidation", val: null, test: null } }),
  ).toBeNull();
  show({ temperature: 2, unfitted: null, val: { before, after }, test: null });
  screen.getByText(/of 1,000 in the validation set/);
});
