import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "../../smoke/lib/until";

/**
 * Waits until what is read equals `expected`, because a page shows a change a moment after its cause. Fails with the last
 * reading. A page that is being left cannot be read, which is tried again.
 */
export const eventually = async <T>(read: () => Promise<T> | T, expected: NoInfer<T>): Promise<void> => {
  let last: T | undefined;
  const isReached = async () => {
    last = await read();
    return Bun.deepEquals(last, expected);
  };
  await until("what is expected", () => isReached().catch(() => false)).catch(() => {});
  expect(last as T).toEqual(expected);
};

/** Waits until the address of a page, which follows its content, has this path. */
export const atPath = (page: Page, path: string) => eventually(() => new URL(page.url()).pathname, path);

/** Waits until the field of this name has the focus. */
export const fieldFocused = (page: Page, name: string) =>
  eventually(() => page.evaluate(() => document.activeElement?.getAttribute("name") ?? null), name);
