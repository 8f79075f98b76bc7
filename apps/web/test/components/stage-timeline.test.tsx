// @vitest-environment happy-dom
import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { StageTimeline } from "../../src/components/StageTimeline/StageTimeline.tsx";
import { emptyJob } from "../support/job-fixture.ts";

afterEach(cleanup);

const show = (isOver: boolean) =>
  render(
    <MantineProvider env="test">
      <StageTimeline stages={emptyJob.stages} isOver={isOver} />
    </MantineProvider>,
  );

test("a stage that has not begun is pending while its job goes on", () => {
  show(false);
  expect(screen.getAllByText("Pending")).toHaveLength(2);
});

test("a stage that has not begun when its job ends was not run", () => {
  show(true);
  expect(screen.getAllByText("Not run")).toHaveLength(2);
  expect(screen.queryByText("Pending")).toBeNull();
});
