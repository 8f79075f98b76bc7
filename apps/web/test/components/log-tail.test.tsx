import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { LogTail } from "../../src/components/LogTail/LogTail.tsx";
import type { LogLine } from "../../src/services/log-filter.ts";

function shown(lines: readonly LogLine[], isOver: boolean): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <LogTail jobId="job_1" lines={lines} isOver={isOver} stageName={() => "train"} />
    </MantineProvider>,
  );
}

test("a log without a line waits for one while the job runs, and says that none came once it has ended", () => {
  expect(shown([], false)).toContain("Nothing has been logged yet.");
  expect(shown([], true)).toContain("It ended without a line in its log.");
  expect(shown([], true)).not.toContain("yet");
});
