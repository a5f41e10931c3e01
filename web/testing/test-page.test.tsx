import "./test-dom";

import { expect, test } from "bun:test";
import { useEffect, useState } from "react";
import { setUpPage } from "./set-up";
import { render, screen, userEvent } from "./test-page";

setUpPage();

/** How long an effect runs, in ms: long enough for timers to run before React renders again. */
const SLOW = 10;

/** Shows how often it was pressed, by a slow effect. */
function Counter() {
  const [presses, setPresses] = useState(1);
  const [shown, setShown] = useState(0);
  useEffect(() => {
    const end = performance.now() + SLOW;
    while (performance.now() < end);
    setShown(presses);
  }, [presses]);
  return (
    <button type="button" onClick={() => queueMicrotask(() => setPresses(presses + 1))}>
      {shown}
    </button>
  );
}

/** Shows the counter after its first render, outside of act(). */
function Later() {
  const [isReady, setReady] = useState(false);
  useEffect(() => void setTimeout(() => setReady(true)), []);
  return isReady && <Counter />;
}

test("waits and interactions end after the effects that they cause", async () => {
  render(<Later />);
  const button = await screen.findByRole("button");
  expect(button.textContent).toBe("1");
  await userEvent.click(button);
  expect(button.textContent).toBe("2");
});
