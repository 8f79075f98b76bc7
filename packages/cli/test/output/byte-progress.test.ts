import { describe, expect, it } from "vitest";
import { ByteProgress } from "../../src/output/progress.ts";

describe("how far bytes are", () => {
  it("is their amount and share, and the time left at the rate since the first report", () => {
    let ms = 0;
    const progress = new ByteProgress("upload:  edges.csv", null, () => ms);
    // What an earlier command had sent says nothing of this one's rate.
    expect(progress.line(500, 1000)).toBe("upload:  edges.csv  500 of 1000 bytes  50 %");
    ms = 2000;
    expect(progress.line(600, 1000)).toBe("upload:  edges.csv  600 of 1000 bytes  60 %  8 s left");
    ms = 10_000;
    expect(progress.line(1000, 1000)).toBe("upload:  edges.csv  1000 of 1000 bytes  100 %  0 s left");
  });

  it("is what is waited for once all of them are there", () => {
    const progress = new ByteProgress("upload:  edges.csv", "have come; the service puts the file together");
    expect(progress.line(999, 1000)).toBe("upload:  edges.csv  999 of 1000 bytes  99 %");
    expect(progress.line(1000, 1000)).toBe(
      "upload:  edges.csv  1000 bytes  have come; the service puts the file together",
    );
  });

  it("is the amount alone where nobody knows of how much, and of nothing there is no share", () => {
    expect(new ByteProgress("download:").line(7, null)).toBe("download:  7 bytes");
    expect(new ByteProgress("download:").line(0, 0)).toBe("download:  0 of 0 bytes");
  });
});
