import { expect, it } from "vitest";
import { statusOfFile } from "../../src/output/status-of-file.ts";

it("a file is told as sent, waited for and put together by the service", () => {
  const told: string[] = [];
  const status = statusOfFile("edges.csv", (text) => told.push(text));
  status.onProgress(500, 1000);
  status.onWaiting("The service cannot be reached.");
  status.onWaiting(null);
  status.onProgress(1000, 1000);
  status.onFinishing(0, 1000);
  status.onFinishing(430, 1000);
  expect(told.map((line) => line.replace(/ {2}\d+ s left$/, ""))).toEqual([
    "upload:  edges.csv  500 of 1000 bytes  50 %",
    "upload:  edges.csv: waiting. The service cannot be reached.",
    "upload:  edges.csv  1000 bytes  have come; the service puts the file together",
    "upload:  edges.csv: the service puts the file together  0 of 1000 bytes  0 %",
    "upload:  edges.csv: the service puts the file together  430 of 1000 bytes  43 %",
  ]);
});
