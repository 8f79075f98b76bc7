import { expect, test } from "vitest";
import { expectWidth, takeShot } from "../support/browser.ts";
import { patience } from "../support/patience.ts";
import type { Tour } from "./tour.ts";

/** A trained model kept under a name, promoted and applied by the keyboard; ends where it began. */
export function modelsLiveOn(tour: Tour): void {
  test("a model is kept under a name, promoted by keys, and applied to a dataset", async () => {
    const { page } = tour;
    const embeddings = page.url();
    await page.goto(embeddings.replace("/embeddings", ""));
    await page.getByRole("button", { name: "Keep the model" }).click(patience);
    const name = page.getByRole("dialog").getByLabel("Name");
    await expect.poll(() => name.inputValue(), patience).toBe("e2e");
    await name.press("Control+A");
    await page.keyboard.type("animals");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "animals@1", level: 1 }).waitFor(patience);
    await page.getByRole("region", { name: "Trained on" }).getByText("Classes:").waitFor(patience);
    await page.getByRole("link", { name: /^model\.safetensors/ }).waitFor(patience);
    await takeShot(page, "22-model-card");

    await page.locator("#main").focus();
    await page.keyboard.press("g");
    await page.keyboard.press("m");
    await page.getByRole("heading", { name: "Models", level: 1 }).waitFor(patience);
    const stage = page.getByRole("combobox", { name: "Stage of animals@1" }).or(page.getByLabel("Stage of animals@1"));
    await stage.first().click();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => stage.first().inputValue(), patience).toBe("Production");
    await takeShot(page, "22-models");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 390, height: 800 });
    await expectWidth(page, 390);
    await takeShot(page, "22-models-dark-phone");
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });

    const models = page.url();
    await page.getByRole("link", { name: "Train on from animals@1" }).click();
    await page.getByRole("heading", { name: "New training job", level: 1 }).waitFor(patience);
    const startFrom = page.locator("details details").filter({ hasText: /^Start from/ });
    await page.locator("summary").filter({ hasText: "Advanced" }).click();
    await startFrom.locator("summary").click();
    await expect.poll(() => startFrom.getByLabel("Model", { exact: true }).inputValue(), patience).toBe("animals@1");
    const freeze = startFrom.getByLabel("Freeze", { exact: true });
    await freeze.focus();
    await page.keyboard.type("layers.9");
    await page.keyboard.press("Tab");
    await page
      .getByText(/No layer or weight of the model to start from is called "layers\.9"/)
      .first()
      .waitFor(patience);
    await freeze.press("Control+A");
    await page.keyboard.type("layers.0");
    await page.keyboard.press("Tab");
    await page
      .getByText(/is called "layers\.9"/)
      .first()
      .waitFor({ state: "detached", ...patience });
    await takeShot(page, "22-train-on");
    const features = page.locator("details details").filter({ hasText: /^Features/ });
    await features.locator("summary").click();
    await features.getByRole("switch", { name: /^Embedding/ }).press("Space");
    const file = features.getByLabel("File", { exact: true });
    await file.focus();
    await page.keyboard.type("texts.parquet");
    await page.keyboard.press("Tab");
    await page
      .getByText(/No file of the dataset is called "texts\.parquet"; there are: /)
      .first()
      .waitFor(patience);
    await takeShot(page, "22-vectors");
    // Both refusals are what was asked for.
    for (const complaint of tour.watched.complaints.splice(0)) expect(complaint).toContain("422");
    await page.goto(models);

    await page.getByRole("button", { name: "Apply animals@1" }).click();
    await page.getByRole("button", { name: "Apply it" }).click(patience);
    await page.getByRole("heading", { name: /^animals@1 on /, level: 1 }).waitFor(patience);
    await page.getByRole("status", { name: "State of the job" }).getByText("Succeeded").waitFor(patience);
    await page.getByRole("region", { name: "Result" }).getByText("Accuracy, test").waitFor(patience);
    await takeShot(page, "22-applied-model");
    await page.goto(embeddings);
    await page.locator('[data-renderer="webgl"]').waitFor(patience);
  });
}
