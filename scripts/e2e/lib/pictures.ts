import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";

let folder: string | undefined;

/** Stores a picture of a page in a temporary folder, if the variable SCREENSHOTS is set: a picture takes as long as a test step. */
export const screenshot = async (page: Page, name: string, fullPage = false): Promise<void> => {
  if (!process.env.SCREENSHOTS) return;
  if (folder === undefined) {
    folder = mkdtempSync(join(tmpdir(), "wakeful-screenshots-"));
    console.log(`screenshots: ${folder}`);
  }
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage });
};
