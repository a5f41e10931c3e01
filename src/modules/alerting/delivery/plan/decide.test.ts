import { describe, expect, it } from "bun:test";
import { MINUTE, SECOND } from "../../../../shared/limits";
import type { EventKind } from "../../../../shared/notifications";
import { START } from "../../../../testing/clock";
import { awaitedOf, decide, type EventsSinceMute, missedEvents } from "./decide";
import { type FlappingRow, NOTHING_STORED, type State, type Subject } from "./state";

const NOW = START + 10 * MINUTE;
const OWN = { type: "monitor", id: 1 } as const;
const PARENT = { type: "monitor", id: 2 } as const;
const SERVER = { type: "agent", id: 1 } as const;

type Case = {
  event?: Partial<Subject["event"]>;
  outage?: Partial<NonNullable<Subject["outage"]>>;
  state?: Partial<State>;
};

const subjectOf = ({ event, outage }: Case) => ({
  event: { id: 5, kind: "down", at: START, drill: false, waitUntil: null, plannedAt: null, ...event },
  outage: { kind: "down", targetType: "monitor", startedAt: START, endedAt: null, explainedBy: null, ...outage },
});
const decided = (given: Case) => decide(subjectOf(given) as Subject, { ...NOTHING_STORED, ...given.state }, NOW);

const answer = (target: typeof OWN | typeof PARENT | typeof SERVER, at: number) => ({ target, at, wait: 30 * SECOND });
const dependencies = (parentAt: number, own = answer(OWN, START), explainedBy: number | null = null) => ({
  dependencies: { explainedBy, answers: [answer(PARENT, parentAt)], own },
});
const HELD = { waitUntil: NOW + 30 * SECOND };
const EXPLAINED = { explainedBy: 3 };
const STABLE = { ...NOTHING_STORED.flapping, row: { eventId: 5, changes: 6, settlesAt: NOW } as FlappingRow };

describe("a held event waits for", () => {
  const cases: [string, Case, readonly object[]][] = [
    [
      "the parents that have not answered since its outage began",
      { event: HELD, state: dependencies(START - 1) },
      [PARENT],
    ],
    ["no parent that has answered", { event: HELD, state: dependencies(START) }, []],
    ["nothing when an outage explains its own", { event: HELD, state: dependencies(START - 1, undefined, 3) }, []],
    ["nothing once its time is over", { event: { waitUntil: NOW }, state: dependencies(START - 1) }, []],
    ["nothing once its outage is over", { event: HELD, outage: { endedAt: NOW }, state: dependencies(START - 1) }, []],
    [
      "nothing when the clock was set back",
      { event: { waitUntil: NOW + 60 * MINUTE }, state: dependencies(START - 1) },
      [],
    ],
    [
      "its own target when its outage was explained",
      { event: HELD, outage: EXPLAINED, state: dependencies(START - 1, answer(OWN, NOW - 1)) },
      [OWN],
    ],
    [
      "not its own target that was checked since",
      { event: HELD, outage: EXPLAINED, state: dependencies(START - 1, answer(OWN, NOW)) },
      [],
    ],
    [
      "its own server, whose report ends its outage",
      { event: HELD, outage: EXPLAINED, state: dependencies(START - 1, answer(SERVER, NOW)) },
      [SERVER],
    ],
  ];
  it.each(cases)("%s", (_, given, targets) => {
    const { dependencies: read } = { ...NOTHING_STORED, ...given.state };
    expect(awaitedOf(subjectOf(given) as Subject, read, NOW)).toEqual(targets as never);
    if (targets.length > 0) expect(decided(given)).toBeNull();
  });
});

describe("an event that was planned", () => {
  const PLANNED = { plannedAt: START };
  const cases: [string, Case, object | null][] = [
    ["stays as it is", { event: PLANNED }, null],
    [
      "stays withheld while another outage explains its own",
      { event: PLANNED, outage: EXPLAINED, state: dependencies(START, undefined, 4) },
      null,
    ],
    [
      "is held for a check of its monitor when the explanation is over",
      { event: PLANNED, outage: EXPLAINED },
      { waitUntil: NOW + 30 * SECOND, isRenewed: true },
    ],
    [
      "is held until its server reports when the explanation is over",
      { event: { ...PLANNED, kind: "offline" }, outage: { ...EXPLAINED, targetType: "agent" } },
      { waitUntil: NOW + 2 * MINUTE, isRenewed: true },
    ],
    [
      "stays withheld when its outage ended explained",
      { event: PLANNED, outage: { ...EXPLAINED, endedAt: NOW } },
      null,
    ],
    [
      "announces that its target is stable",
      { event: PLANNED, state: { flapping: STABLE } },
      { purpose: "settled", sequence: 6, flapping: null },
    ],
    [
      "announces nothing before",
      { event: PLANNED, state: { flapping: { ...STABLE, row: { ...STABLE.row, settlesAt: NOW + 1 } } } },
      null,
    ],
    [
      "announces nothing of a target that was paused",
      { event: PLANNED, outage: { endedAt: NOW }, state: { flapping: STABLE } },
      { purpose: "settled", channels: [], flapping: null },
    ],
  ];
  it.each(cases)("%s", (_, given, decision) => expect(decided(given)).toEqual(decision as never));
});

describe("with an event", () => {
  const unstable = (eventId: number): Case => {
    const row = { eventId, changes: 6, settlesAt: NOW + 1 } as FlappingRow;
    return { state: { flapping: { ...STABLE, row, quiet: 15 * MINUTE } } };
  };

  it("a change of an unstable target is counted once", () => {
    expect(decided(unstable(4))?.flapping).toEqual({ eventId: 5, changes: 7, settlesAt: START + 15 * MINUTE });
    expect(decided(unstable(5))?.flapping).toMatchObject({ eventId: 5, changes: 6, settlesAt: NOW + 1 });
  });

  it("a target that is stable again loses its row", () =>
    expect(decided({ state: { flapping: STABLE } })?.flapping).toBeNull());

  it("the explanation of its outage is stored, and removed when it is over", () => {
    expect(decided({ state: dependencies(START, undefined, 3) })?.explainedBy).toBe(3);
    expect(decided({ outage: EXPLAINED })?.explainedBy).toBeNull();
    expect(decided({})?.explainedBy).toBeUndefined();
  });
});

describe("when a mute ends", () => {
  const kinds = (...rows: [kind: EventKind, last: number, firstMuted: number | null, lastMuted: number | null][]) =>
    rows.map(([kind, last, firstMuted, lastMuted]) => ({
      ...{ kind, subject: "", last, firstMuted, lastMuted, unplanned: 0 },
    }));
  const cases: [string, EventsSinceMute[], number[]][] = [
    ["an outage that began is sent", kinds(["down", 5, 5, 5]), [5]],
    ["an outage that began and ended is not", kinds(["down", 5, 5, 5], ["recovery", 6, 6, 6]), []],
    ["the last of several changes is sent", kinds(["down", 7, 5, 7], ["recovery", 6, 6, 6]), [7]],
    ["nothing is sent of a state that was announced since", kinds(["down", 5, 5, 5], ["recovery", 6, null, null]), []],
    ["each figure is sent by itself", kinds(["cpu_high", 5, 5, 5], ["memory_normal", 6, 6, 6]), [5, 6]],
    [
      "nothing is sent without events",
      [{ kind: null, subject: null, last: null, firstMuted: null, lastMuted: null, unplanned: 0 }],
      [],
    ],
  ];
  it.each(cases)("%s", (_, rows, ids) => expect(missedEvents(rows)).toEqual(ids));

  it("it waits until the events before its end are planned", () =>
    expect(
      missedEvents([
        ...kinds(["down", 5, 5, 5]),
        { ...kinds(["recovery", 6, null, null])[0], unplanned: 1 } as EventsSinceMute,
      ]),
    ).toBeNull());
});
