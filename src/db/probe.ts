/** Milliseconds between two writes for nothing: whoever asks may ask often. */
const PAUSE = 1000;

/** Another digit each time, because what stays the same is not written. */
const statementOf = (turn: number, size: number): string =>
  `insert into settings (key, value) values ('probe', '${String(turn % 10).repeat(size)}')
    on conflict (key) do update set value = excluded.value`;

/**
 * What finds out whether a database can be written: it looks each time, and now and then writes `size` characters. Both
 * throw when they cannot.
 */
export const createProbe = (size: number, look: () => unknown, write: (statement: string) => unknown) => {
  let writtenAt = Number.NEGATIVE_INFINITY;
  let turn = 0;
  return async (): Promise<void> => {
    await look();
    if (performance.now() - writtenAt < PAUSE) return;
    await write(statementOf(turn++, size));
    writtenAt = performance.now();
  };
};
