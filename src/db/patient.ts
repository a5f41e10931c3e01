import { SQL } from "bun";
import { systemClock } from "../clock";
import { endOthers, lookAt } from "./aside";

/** Milliseconds after which what is not answered is looked into, and that looking may take. */
export type Patience = { answer: number; look: number };

export const PATIENCE: Patience = { answer: 4000, look: 4000 };

/** It passes in steps: a process that was itself stopped meanwhile has not waited. */
const STEPS = 8;

/** Something that was asked, for how many steps, and whether the server was seen doing nothing about it. */
type Call = { steps: number; suspect: boolean };
type Executor = Pick<SQL, "unsafe">;

/** Counts as trouble with the connection, see trouble.ts. */
const away = () => Object.assign(new Error("PostgreSQL does not answer."), { code: "ECONNABORTED" });

/**
 * A pool of connections that does not wait for ever. When something is not answered, the server is asked about it on
 * another connection: what it works on is waited for, however long that takes. When it says nothing, or knows nothing
 * of what was asked, the whole pool is thrown away, which fails everything that was asked of it; until the server has
 * answered again, whatever is asked fails at once. Gives as much of a client as Drizzle uses.
 */
export const openPatient = (url: string, patience: Patience) => {
  const server = {
    url,
    bigint: false,
    connection: { application_name: `wakeful ${crypto.randomUUID().slice(0, 8)}` },
  };
  // Bun goes on trying for so many seconds, and whoever asks waits as long.
  const connect = () => new SQL({ ...server, max: 10, connectionTimeout: 5 });
  let pool: SQL | null = connect();
  const calls = new Set<Call>();
  let [watching, returning, closed] = [false, false, false];

  const comeBack = async (): Promise<void> => {
    if (returning || closed) return;
    returning = true;
    await endOthers(server, patience.look).then(
      () => {
        if (!closed) pool = connect();
      },
      () => {},
    );
    returning = false;
  };

  const current = (): SQL => {
    if (pool) return pool;
    void comeBack();
    throw away();
  };

  const giveUp = (): void => {
    const lost = pool;
    pool = null;
    calls.clear();
    void lost?.close({ timeout: 0 }).catch(() => {});
    void comeBack();
  };

  const lateCalls = () => [...calls].filter(({ steps }) => steps > STEPS);

  /** Twice in a row, because an answer may be on its way. */
  const isLost = async (): Promise<boolean> => {
    const found = await lookAt(server, patience.look);
    const late = lateCalls();
    if (found === "away") return late.length > 0;
    const lost = found === "idle" && late.some(({ suspect }) => suspect);
    for (const call of late) Object.assign(call, found === "idle" ? { suspect: true } : { suspect: false, steps: 0 });
    return lost;
  };

  const watch = async (): Promise<void> => {
    if (watching) return;
    watching = true;
    while (calls.size > 0) {
      await systemClock.sleep(patience.answer / STEPS);
      for (const call of calls) call.steps++;
      if (lateCalls().length > 0 && (await isLost())) giveUp();
    }
    watching = false;
  };

  const begin = (): Call => {
    const call = { steps: 0, suspect: false };
    calls.add(call);
    void watch();
    return call;
  };

  const ask = (executor: () => Executor, text: string, values?: unknown[]) => {
    let plain = false;
    const run = async (): Promise<unknown> => {
      // Whoever wants the values without their names says so at once.
      await null;
      const query = executor().unsafe(text, values);
      const call = begin();
      try {
        return await (plain ? query.values() : query);
      } finally {
        calls.delete(call);
      }
    };
    const answer = run();
    return Object.assign(answer, {
      values: () => {
        plain = true;
        return answer;
      },
    });
  };

  return {
    unsafe: (text: string, values?: unknown[]) => ask(current, text, values),

    begin: async <T>(work: (tx: { unsafe: (text: string, values?: unknown[]) => unknown }) => Promise<T>) => {
      const client = current();
      let call = begin();
      let over = false;
      try {
        return await client.begin(async (tx) => {
          calls.delete(call);
          try {
            return await work({ unsafe: (text, values) => ask(() => tx, text, values) });
          } finally {
            // Without its connection it is over before its work is.
            if (!over) call = begin();
          }
        });
      } finally {
        over = true;
        calls.delete(call);
      }
    },

    close: async (): Promise<void> => {
      closed = true;
      await pool?.close();
    },
  };
};
