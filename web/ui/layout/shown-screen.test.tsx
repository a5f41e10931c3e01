import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { Suspense } from "react";
import { useLocation, useSearch } from "wouter";
import { navigate } from "wouter/use-browser-location";
import { later } from "../../lib/offline/code";
import { setUpPage } from "../../testing/set-up";
import { act, render, screen } from "../../testing/test-page";
import { ShownScreen } from "./shown-screen";

setUpPage({ path: "/first?q=a" });

function First() {
  const [path] = useLocation();
  return <p>{`first at ${path}?${useSearch()}`}</p>;
}

test("the last screen stays with its own address until the code of the next one has arrived", async () => {
  let arrive = (_: { default: () => React.ReactElement }) => {};
  const Second = later(
    () =>
      new Promise<{ default: () => React.ReactElement }>((resolve) => {
        arrive = resolve;
      }),
  );
  render(
    <ShownScreen>
      {(path, isLast) => (
        <div aria-busy={isLast}>
          <Suspense fallback={<p>nothing yet</p>}>{path === "/second" ? <Second /> : <First key={path} />}</Suspense>
        </div>
      )}
    </ShownScreen>,
  );
  expect(screen.getByText("first at /first?q=a")).toBeTruthy();
  await act(async () => navigate("/first?q=b"));
  expect(screen.getByText("first at /first?q=b")).toBeTruthy();

  await act(async () => navigate("/second?q=c"));
  expect(screen.getByText("first at /first?q=b").parentElement?.getAttribute("aria-busy")).toBe("true");
  expect(screen.queryByText("nothing yet")).toBeNull();

  await act(async () => arrive({ default: () => <p>second</p> }));
  expect((await screen.findByText("second")).parentElement?.getAttribute("aria-busy")).toBe("false");
});
