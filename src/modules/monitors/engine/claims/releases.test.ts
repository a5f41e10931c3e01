import { expect, it } from "bun:test";
import { processDialect } from "../../../../core/config";
import { SECOND } from "../../../../shared/limits";
import { createTestApp } from "../../../../testing/app";
import { addMonitor } from "../../../../testing/fixtures/monitors";
import { createMemoryClaims } from "./memory-claims";
import { createStoredClaims } from "./stored-claims";

const kinds = processDialect === "sqlite" ? (["memory", "stored"] as const) : (["stored"] as const);

it.each(kinds)(
  "released monitors of which nothing is known are due soon and not all at once, with %s claims",
  async (kind) => {
    const app = await createTestApp();
    const { bob } = await app.people();
    const ids: number[] = [];
    for (let count = 0; count < 3; count++)
      ids.push(await addMonitor(app, bob, { url: "https://shop.example/", interval: 3600 }));
    const running = new Set<number>();
    const claims =
      kind === "memory"
        ? createMemoryClaims({ ...app.deps, isInFlight: (id) => running.has(id) })
        : createStoredClaims({ ...app.deps, known: () => [...running] });
    const claim = async () => {
      await claims.beat();
      await claims.followClock();
      const claimed = await claims.writeAndClaim([], 100);
      for (const { monitorId } of claimed) running.add(monitorId);
      return claimed.toSorted((a, b) => a.monitorId - b.monitorId);
    };
    const release = async (id: number, isSoon?: boolean) => {
      running.delete(id);
      await claims.release([id], isSoon);
    };
    expect(await claim()).toHaveLength(3);
    const now = app.clock.now();
    for (const id of ids) await release(id, true);
    app.clock.set(now + 12 * SECOND);
    const again = await claim();
    expect(again.map(({ monitorId }) => monitorId)).toEqual(ids);
    expect(new Set(again.map(({ dueAt }) => dueAt)).size).toBe(3);
    expect(again.every(({ dueAt }) => dueAt > now && dueAt <= now + 12 * SECOND)).toBe(true);
    for (const id of ids) await release(id);
    app.clock.set(now + 60 * SECOND);
    expect(await claim()).toEqual([]);
  },
);
