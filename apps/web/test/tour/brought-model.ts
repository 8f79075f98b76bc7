import { expect, test } from "vitest";
import { expectWidth, takeShot } from "../support/browser.ts";
import { patience } from "../support/patience.ts";
import type { Tour } from "./tour.ts";

/** The kept model, downloaded and uploaded under another name; begins after modelsLiveOn, and ends where it began. */
export function modelsAreBrought(tour: Tour): void {
  test("a downloaded model is uploaded by the page, and its card says where it came from", async () => {
    const { page } = tour;
    const begun = page.url();
    const files = await page.evaluate(filesOfModel);
    await page.goto(new URL("/models", begun).href);
    await page.getByRole("button", { name: "Upload a model" }).click(patience);
    const dialog = page.getByRole("dialog", { name: "Upload a model" });
    const [card, ...others] = files.map(({ name, base64 }) => ({
      name,
      mimeType: "application/octet-stream",
      buffer: Buffer.from(base64, "base64"),
    }));
    if (!card) throw new Error("The model has no card.");
    const told = JSON.parse(card.buffer.toString("utf8"));
    told.spec.model.type = "perceptron";
    const wrong = { ...card, buffer: Buffer.from(JSON.stringify(told)) };
    await dialog.locator('input[type="file"]').setInputFiles([wrong, ...others]);
    await dialog.getByLabel("Name").fill("brought");
    await dialog.getByRole("button", { name: "Upload it" }).click();
    await dialog.getByText(/^\/spec\/model\/type: There is no model/).waitFor(patience);
    await takeShot(page, "23-refused-model");
    for (const complaint of tour.watched.complaints.splice(0)) expect(complaint).toContain("422");
    await dialog.locator('input[type="file"]').setInputFiles([card, ...others]);
    await dialog.getByRole("button", { name: "Upload it" }).click();
    await page.getByRole("heading", { name: "Upload of brought", level: 1 }).waitFor(patience);
    await page.getByRole("status", { name: "State of the job" }).getByText("Succeeded").waitFor(patience);
    await page.goto(new URL("/models", begun).href);
    await page.setViewportSize({ width: 390, height: 800 });
    await expectWidth(page, 390);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole("link", { name: "brought@1" }).click(patience);
    await page.getByText("uploaded by admin").waitFor(patience);
    await page.getByRole("region", { name: "Trained on" }).getByText("Classes:").waitFor(patience);
    await takeShot(page, "23-brought-model");
    await page.goto(begun);
    await page.locator('[data-renderer="webgl"]').waitFor(patience);
  });
}

/** Runs in the page, whose session may read them. */
async function filesOfModel(): Promise<{ name: string; base64: string }[]> {
  const base64Of = async (answer: Response) =>
    btoa(Array.from(new Uint8Array(await answer.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(""));
  const { items } = await (await fetch("/v1/models?name=animals")).json();
  const address = `/v1/model-versions/${items[0].versions[0].id}`;
  const card = await (await fetch(address)).json();
  const files = [{ name: "card.json", base64: await base64Of(await fetch(address)) }];
  for (const { name, url } of card.files) files.push({ name, base64: await base64Of(await fetch(url)) });
  return files;
}
