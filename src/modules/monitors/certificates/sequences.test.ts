import { expect, it } from "bun:test";
import { certificateAlerts } from "../../../db/schema";
import { CERTIFICATE_DAYS } from "../../../shared/certificate";
import { DAY, HOUR } from "../../../shared/limits";
import { watchCertificate } from "../../../testing/fixtures/certificates";
import { createRandom, seeds } from "../../../testing/random";

type Model = {
  fingerprint: string;
  expiresAt: number;
  days: number[];
  active: boolean;
  sent: string[];
  open: { fingerprint: string; days: number } | null;
};

/** The alerts of the jobs, by plain rules. */
const runModel = (model: Model, now: number): (number | string)[] => {
  const { fingerprint, expiresAt, days, active, sent } = model;
  if (!active || fingerprint === "") return [];
  const found: (number | string)[] = [];
  const left = (expiresAt - now) / DAY;
  const reached = days.filter((threshold) => left <= threshold).toSorted((a, b) => a - b)[0];
  if (model.open && (model.open.fingerprint !== fingerprint || reached === undefined)) {
    if (model.open.fingerprint !== fingerprint || left > model.open.days) found.push("renewed");
    model.open = null;
  }
  const tighter = Array.from({ length: CERTIFICATE_DAYS.longest }, (_, index) => `${fingerprint} ${index + 1}`);
  if (reached !== undefined && !tighter.slice(0, reached).some((one) => sent.includes(one))) {
    sent.push(`${fingerprint} ${reached}`);
    model.open = { fingerprint, days: reached };
    found.push(left <= 0 ? "tls_expired" : Math.ceil(left));
  }
  return found;
};

it.each(seeds(process.env.TEST_DATABASE_URL ? 3 : 10))(
  "random renewals, pauses and thresholds agree with a plain model, by seed %i",
  async (seed) => {
    const { app, see, run, written, open, change } = await watchCertificate();
    const { below, pick, oneIn } = createRandom(seed);
    const model: Model = { fingerprint: "", expiresAt: 0, days: [21, 7, 1], active: true, sent: [], open: null };
    const expected: (number | string)[] = [];
    const known = new Map<string, number>();
    for (let step = 0; step < 60; step++) {
      app.clock.set(app.clock.now() + pick([HOUR, 6 * HOUR, DAY, 3 * DAY, 10 * DAY]) + below(HOUR));
      const now = app.clock.now();
      if (oneIn(4)) {
        // A new certificate, or one of those before, as behind a load balancer.
        const fingerprint = known.size > 0 && oneIn(3) ? pick([...known.keys()]) : `${step}`;
        const expiresAt = known.get(fingerprint) ?? now + pick([2, 6, 15, 30, 90]) * DAY + below(DAY);
        known.set(fingerprint, expiresAt);
        await see(fingerprint, expiresAt, !oneIn(3));
        Object.assign(model, { fingerprint, expiresAt });
      } else if (oneIn(6)) {
        if (oneIn(2)) model.active = !model.active;
        else model.days = pick([[], [1], [30, 14, 3], [21, 7, 1], [5, 2]]);
        await change({ certificate_days: model.days, active: model.active });
      }
      await run();
      expected.push(...runModel(model, now));
      expect(await written()).toEqual(expected);
      expect((await open()).length).toBe(model.open === null ? 0 : 1);
    }
    const alerts = await app.db.select().from(certificateAlerts);
    expect(alerts.map(({ fingerprint, days }) => `${fingerprint} ${days}`).sort()).toEqual([...model.sent].sort());
    expect(new Set(model.sent).size).toBe(model.sent.length);
  },
);
