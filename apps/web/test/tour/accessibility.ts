import axe, { type Result } from "axe-core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { patience } from "../support/patience.ts";
import type { Tour } from "./tour.ts";

const schemes = ["light", "dark"] as const;

/** Every page as it is drawn with data, in both colour schemes, against the rules of axe. */
export function pagesAreAccessible(tour: Tour): void {
  test("axe finds nothing to complain of on any page, in light or dark colours, and nothing moves", async () => {
    const { page, stack } = tour;
    const found: string[] = [];
    // A colour scheme that was chosen on a page before would outdo the system's.
    await page.evaluate("localStorage.removeItem('mantine-color-scheme-value')");
    for (const [path, landmark] of Object.entries(await pagesOf(tour))) {
      await page.goto(`${stack.url}${path}`);
      await page.getByText(landmark).first().waitFor(patience);
      const loading = page.getByRole("status").getByText("Loading");
      await expect.poll(() => loading.count(), patience).toBe(0);
      expect(await movements(page), `what moves on ${path}`).toEqual([]);
      // A script element would be a breach of the page's content security policy.
      await page.evaluate(axe.source);
      for (const scheme of schemes) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor({ ...patience, state: "attached" });
        await page.evaluate(settled);
        found.push(...(await violations(page)).map((one) => `${path} in ${scheme}: ${one}`));
      }
    }
    await page.emulateMedia({ colorScheme: "light" });
    expect(found).toEqual([]);
  });
}

/** Each page's address, with words that stand there once it is drawn. */
async function pagesOf({ page, stack }: Tour): Promise<Readonly<Record<string, string>>> {
  const oldest = async (list: string) => {
    await page.goto(`${stack.url}/${list}`);
    const link = page.locator(`tbody a[href^="/${list}/"]`);
    await link.first().waitFor(patience);
    return (await link.last().getAttribute("href")) ?? "";
  };
  const job = await oldest("jobs");
  const dataset = await oldest("datasets");
  const worker = await oldest("workers");
  const jobId = job.split("/").at(-1) ?? "";
  return {
    "/projects": "Use and cost",
    "/datasets": "New dataset",
    "/datasets/new": "Drop files or a folder here",
    [dataset]: "First rows",
    [`${dataset}/mapping`]: "Build the graph",
    "/jobs": "New job",
    [job]: "Which classes the model takes for which.",
    [`${job}?tab=metrics`]: "Filter charts",
    [`${job}?tab=ranks`]: "Host and device",
    [worker]: "Over time",
    [`${job}?tab=partition`]: "How the graph was cut",
    [`${job}?tab=log`]: "Results exported",
    [`${job}?tab=checkpoints`]: "Continue from here",
    [`${job}?tab=spec`]: "Copy as JSON",
    [`${job}/embeddings`]: "Downloads",
    [`/compare?jobs=${jobId}`]: "Compare",
    "/jobs/new": "Memory per rank",
    "/sweeps": "Sweeps",
    "/models": "Models",
    "/workers": "Ranks at once",
    "/notifications": "Webhooks",
    "/api-keys": "Create key",
    "/nowhere": "There is no such page",
    "/sign-in": "Sign in to Hopwise",
    "/help/getting-started.html": "To the dashboard",
    "/help/errors.html": "JOB_SPEC_INVALID",
  };
}

/** Colours change by transitions, of a hundredth of a millisecond at least: their last frame is to be seen. */
const settled = `new Promise((done) => {
  const look = () => (document.getAnimations().length === 0 ? done() : requestAnimationFrame(look));
  requestAnimationFrame(() => requestAnimationFrame(look));
})`;

/** Animations that take longer than a blink, though the person has asked for less motion. */
function movements(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document
      .getAnimations()
      .filter((one) => Number(one.effect?.getComputedTiming().duration ?? 0) > 1)
      .map((one) => (one.effect as KeyframeEffect | null)?.target?.className ?? "an animation"),
  );
}

/** What axe objects to, a line for each element. */
async function violations(page: Page): Promise<string[]> {
  const results = await page.evaluate<{ violations: Result[] }>("axe.run({ resultTypes: ['violations'] })");
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id} (${help}): ${html}\n${failureSummary}`),
  );
}
