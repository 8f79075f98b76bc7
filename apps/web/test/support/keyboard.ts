import type { Locator, Page } from "playwright-core";
import { patience } from "./patience.ts";

/** What somebody does who has no mouse. */
export interface Keyboard {
  /** Presses Tab until the element has the focus. */
  tabTo(target: Locator): Promise<void>;
  press(target: Locator): Promise<void>;
  type(target: Locator, text: string): Promise<void>;
  /** Chooses files in the chooser that Enter opens. */
  choose(target: Locator, files: Parameters<Locator["setInputFiles"]>[0]): Promise<void>;
}

export function keyboardOf(page: Page): Keyboard {
  const tabTo = async (target: Locator) => {
    await target.waitFor(patience);
    for (let presses = 0; presses < 150; presses++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab does not reach ${target.toString()}`);
  };
  return {
    tabTo,
    async press(target) {
      await tabTo(target);
      await page.keyboard.press("Enter");
    },
    async type(target, text) {
      await tabTo(target);
      await page.keyboard.type(text);
    },
    async choose(target, files) {
      await tabTo(target);
      const [chooser] = await Promise.all([page.waitForEvent("filechooser", patience), page.keyboard.press("Enter")]);
      await chooser.setFiles(files);
    },
  };
}
