import { Group, Stack, Text } from "@mantine/core";
import {
  binWords,
  type Calibration,
  calibrationWords,
  numBins,
  type Reliability,
  shownSplit,
} from "../../services/calibration.ts";
import { formatFigure, formatPercent } from "../../services/format.ts";
import { type Fact, Facts } from "../Facts/Facts.tsx";
import classes from "./ReliabilityDiagram.module.css";

/** Side of the square in units of the drawing, and what axes and their words take left and below */
const side = 240;
const left = 34;
const below = 34;

/**
 * How often the model is right (upwards) where it is so and so sure (to the right). Bars are the probabilities that are
 * exported, rings the model's own before the temperature; where both are on the diagonal, what it says is so.
 */
export function ReliabilityDiagram({ calibration }: { readonly calibration: Calibration }) {
  const split = shownSplit(calibration);
  if (!split) return null;
  const { before, after } = split;
  const words = calibrationWords(calibration);
  return (
    <Group align="flex-start" gap="xl">
      <svg
        className={classes.diagram}
        viewBox={`${-left} -6 ${side + left + 6} ${side + below + 6}`}
        role="img"
        aria-label={`Reliability diagram. ${words.join(" ")}`}
      >
        <Axes />
        <Bars reliability={after ?? before} />
        {after && <Rings reliability={before} />}
      </svg>
      <Stack gap="sm" className={classes.words}>
        {words.map((line) => (
          <Text key={line} size="sm">
            {line}
          </Text>
        ))}
        <Facts facts={figures(before, after)} />
        <Text size="sm" c="dimmed">
          {after
            ? "Bars: at the temperature, as probabilities are exported. Rings: before it."
            : "Bars: the model’s own probabilities, as they are exported."}
        </Text>
      </Stack>
    </Group>
  );
}

function figures(before: Reliability, after: Reliability | null): Fact[] {
  const pair = (of: (reliability: Reliability) => string) => (after ? `${of(before)} → ${of(after)}` : of(before));
  return [
    {
      label: "Calibration error",
      value: pair(({ ece }) => formatPercent(ece)),
      hint: "Expected calibration error (ECE): mean distance from the diagonal over 15 bins of equal width, by nodes",
    },
    {
      label: "Log likelihood, negative",
      value: pair(({ nll }) => formatFigure(nll)),
      hint: "Mean of −log of the label’s probability (NLL): the lower, the better",
    },
  ];
}

const ticks = [0, 0.25, 0.5, 0.75, 1];

function Axes() {
  return (
    <g className={classes.axes} aria-hidden="true">
      <rect width={side} height={side} />
      <line x1={0} y1={side} x2={side} y2={0} className={classes.diagonal} />
      {ticks.map((tick) => (
        <g key={tick}>
          <text x={-5} y={side - tick * side + 4} textAnchor="end">
            {tick * 100}
          </text>
          <text x={tick * side} y={side + 14} textAnchor="middle">
            {tick * 100}
          </text>
        </g>
      ))}
      <text x={side / 2} y={side + 29} textAnchor="middle">
        sure, %
      </text>
      <text transform={`translate(-24 ${side / 2}) rotate(-90)`} textAnchor="middle">
        right, %
      </text>
    </g>
  );
}

function Bars({ reliability: { bins } }: { readonly reliability: Reliability }) {
  const width = side / numBins;
  return bins.map((bin) => (
    <rect
      key={bin.bin}
      className={classes.bar}
      x={bin.bin * width + 1}
      width={width - 2}
      y={side * (1 - bin.accuracy)}
      height={Math.max(1, side * bin.accuracy)}
    >
      <title>{binWords(bin)}</title>
    </rect>
  ));
}

function Rings({ reliability: { bins } }: { readonly reliability: Reliability }) {
  return bins.map((bin) => (
    <circle key={bin.bin} className={classes.ring} cx={side * bin.confidence} cy={side * (1 - bin.accuracy)} r={4}>
      <title>Before the temperature, {binWords(bin)}</title>
    </circle>
  ));
}
