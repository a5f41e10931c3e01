/** Polls until the result is neither null nor undefined, and returns it. */
export const until = async <T>(
  what: string,
  ask: () => Promise<T | null | undefined | false | "" | 0>,
  timeout = 100_000,
): Promise<T> => {
  const deadline = Date.now() + timeout;
  // Longer pauses after a while leave the CPU to what is waited for.
  for (let pause = 20; ; pause = Math.min(pause * 1.2, 200)) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`waited ${timeout} ms for ${what}`);
    await Bun.sleep(pause);
  }
};
