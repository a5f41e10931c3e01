/** Milliseconds between two writes for nothing: whoever asks may ask often. */
const PAUSE = 1000;
/** Milliseconds after which a database that says nothing counts as away. */
const PATIENCE = 5000;

/** Another digit each time, because what stays the same is not written. */
const statementOf = (turn: number, size: number): string =>
  `insert into settings (key, value) values ('probe', '${String(turn % 10).repeat(size)}')
    on conflict (key) do update set value = excluded.value`;

/** @throws when some work does not end in so many milliseconds. It may go on all the same. */
export const within = async <T>(patience: number, work: Promise<T>): Promise<T> => {
  const signal = AbortSignal.timeout(patience);
  const late = Promise.withResolvers<never>();
  signal.onabort = () =>
    late.reject(Object.assign(new Error("The database does not answer."), { code: "ECONNABORTED" }));
  return Promise.race([work, late.promise]);
};

type Probe = {
  /** Characters that are written. */
  size: number;
  /** Whether something could be written: asked each time. */
  look: () => unknown;
  /** Runs a statement: asked for now and then. */
  write: (statement: string) => unknown;
  patience?: number;
};

/** What finds out whether a database can be written; it throws when that cannot be, and when nothing is answered. */
export const createProbe = ({ size, look, write, patience = PATIENCE }: Probe) => {
  let writtenAt = Number.NEGATIVE_INFINITY;
  let turn = 0;
  const ask = async (): Promise<void> => {
    await look();
    if (performance.now() - writtenAt < PAUSE) return;
    await write(statementOf(turn++, size));
    writtenAt = performance.now();
  };
  return (): Promise<void> => within(patience, ask());
};
