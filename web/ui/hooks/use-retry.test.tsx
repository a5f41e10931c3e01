import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { CallError } from "../../api";
import { setUpPage } from "../../testing/set-up";
import { act, render } from "../../testing/test-page";
import { Failure } from "../feedback/failure";
import { Stale } from "../feedback/stale";

setUpPage();

/** How often a component asks again when the browser is online again. */
const retries = async (Component: typeof Stale, error: unknown): Promise<number> => {
  let count = 0;
  const { unmount } = render(<Component error={error} onRetry={() => void count++} />);
  const goOnline = () => act(() => void window.dispatchEvent(new Event("online")));
  goOnline();
  unmount();
  goOnline();
  return count;
};

const FailedPage: typeof Stale = (props) => <Failure title="Failed" {...props} />;

const failure = (code: string, status: number) => new CallError(code, "", status);

test("a screen that failed for want of a server asks again when the browser is online, until it is left", async () => {
  for (const Component of [FailedPage, Stale]) {
    expect(await retries(Component, failure("network", 0))).toBe(1);
    expect(await retries(Component, failure("timeout", 0))).toBe(1);
    expect(await retries(Component, failure("internal", 502))).toBe(1);
    expect(await retries(Component, failure("not_found", 404))).toBe(0);
  }
});
