/** Asks again and again until there is something other than nothing, and gives it. */
export const until = async <T>(
  what: string,
  ask: () => Promise<T | null | undefined | false | "" | 0>,
  patience = 20_000,
): Promise<T> => {
  const deadline = Date.now() + patience;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`waited ${patience} ms in vain until ${what}`);
    await Bun.sleep(25);
  }
};
