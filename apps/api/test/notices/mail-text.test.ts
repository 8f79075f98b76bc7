import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isMailAddress, mailAddressOf } from "../../src/notices/mail/mail-address.ts";
import { mailText } from "../../src/notices/mail/mail-text.ts";

const bodyOf = (message: string, job: { name: string; url: string } | null = null) =>
  JSON.stringify({ event: "done", message, at: "2026-11-25T17:00:00.000Z", job });

describe("an address for e-mail", () => {
  it("is one plain address", () => {
    for (const good of ["a@b", "first.last+tag@mail.example.com", "x_y@host-1", "o'neil@example.org"])
      expect(isMailAddress(good), good).toBe(true);
    for (const bad of [
      "",
      "a",
      "@b",
      "a@",
      "a@b@c",
      "a b@c",
      "A <a@b>",
      '"a@evil.com x"@b',
      "a@b,c@d",
      "a@b;c@d",
      "a@b\r\nBcc: c@d",
      "a@b?subject=x",
      "a@[127.0.0.1]",
      ".a@b",
      "a..b@c",
      "a@-b",
      "ä@b",
      "a@b.",
      `${"a".repeat(65)}@b`,
      `a@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}.${"e".repeat(63)}`,
    ])
      expect(isMailAddress(bad), JSON.stringify(bad)).toBe(false);
  });

  it("is told from an address of a webhook by its scheme", () => {
    expect(["mailto:a@b", "MailTo:a@b", "https://mailto:a@b/"].map(mailAddressOf)).toEqual(["a@b", "a@b", null]);
  });
});

describe("a message", () => {
  it("leads to the sweep that has ended, before its best job", () => {
    const job = { url: "https://hop.example/jobs/job_1" };
    const sweep = { url: "https://hop.example/sweeps/sweep_1" };
    const body = JSON.stringify({ event: "best", message: "Done.", at: "2026-11-26T03:00:00.000Z", job, sweep });
    const { text, html } = mailText(body, "the team", "https://hop.example");
    expect(text).toContain(`Done.\n\n${sweep.url}\n\nAt `);
    expect(html).toContain(`<a href="${sweep.url}">`);
    expect(text + html).not.toContain(job.url);
  });

  it("has the notice, the way to the job and how to be rid of it, in text and in HTML", () => {
    const job = { name: "sage", url: "https://hop.example/jobs/job_1" };
    const { subject, text, html } = mailText(bodyOf("Job “sage” is done.", job), "the team", "https://hop.example");
    expect(subject).toBe("Hopwise: Job “sage” is done.");
    expect(text.split("\n").slice(0, 3)).toEqual(["Job “sage” is done.", "", job.url]);
    expect(text).toContain("the subscription “the team”; an admin can remove it.\nhttps://hop.example/notifications");
    expect(html).toContain(`<a href="${job.url}">`);
  });

  it("has a subject of one short line and no tag of others, whatever jobs are called", () => {
    const hostile = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.constantFrom("a\r\nBcc: x@y", "\u2028Bcc: x@y", "<script>", '"><img src=x>', "\u0000\u001b[2J"),
    );
    fc.assert(
      fc.property(hostile, hostile, (message, name) => {
        const { subject, text, html } = mailText(bodyOf(message), name, "https://hop.example");
        expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(subject.length).toBeLessThanOrEqual(150);
        expect(text).not.toMatch(/[^\P{Cc}\n\t]/u);
        expect(html.replaceAll(/<\/?p>|<\/a>|<a href="https:\/\/hop\.example\/notifications">/g, "")).not.toMatch(
          /[<>"]/,
        );
      }),
      { numRuns: 50 },
    );
  });
});
