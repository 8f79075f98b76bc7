import { expect, test } from "vitest";
import { until } from "../../../../test/support/until.ts";
import { shareTold } from "../../src/imports/add-to-version.ts";

test("how far the files of an import are put together is told once for each tenth", async () => {
  const told: string[] = [];
  const pace = shareTold(1000, async (sentence) => void told.push(sentence));
  for (const [bytes, sentences] of [
    [350, 1],
    [720, 2],
  ] as const) {
    pace.note(bytes);
    await until("the sentence", () => told.length === sentences);
    // Half a hundredth more is in the same tenth.
    pace.note(bytes + 5);
  }
  await pace.settle();
  const sentence = (share: string) => `All files have come; the service is putting them together: ${share} %.`;
  expect(told).toEqual([sentence("30"), sentence("70")]);
});
