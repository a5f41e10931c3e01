import { describe, expect, it } from "bun:test";
import { chooseFairly, type Limits, type Room, type Waiting } from "./fair";

const room = (channelId: number, changes: Partial<Room> = {}): Room => ({
  ...{ channelId, messages: Number.POSITIVE_INFINITY, budget: [], grouped: true },
  ...changes,
});
const ROOMS = [room(1), room(2), room(3)];
const LIMITS: Limits = { inFlight: [], limit: 100, limitPerUser: 100, limitPerChannel: 100 };

/** A delivery that is due: its id, which is also its target unless given, its channel and its user. */
const due = (id: number, channelId = 1, teamId = 1, changes: Partial<Waiting> = {}): Waiting => ({
  ...{ id, channelId, teamId, target: `monitor ${id}`, isDue: true, isReady: true },
  ...{ isGrouped: false, isSingle: false, wasInDigest: false, isBusy: false },
  ...changes,
});
const later = { isDue: false, isReady: false };
const early = { isDue: false, isGrouped: true };
const grouped = { isGrouped: true };

const choose = (waiting: Waiting[], limits: Partial<Limits> = {}, rooms: Room[] = ROOMS): string =>
  chooseFairly(waiting, rooms, { ...LIMITS, ...limits })
    .map((message) => message.map(({ id }) => id).join("+"))
    .join(" ");

const running = (channelId: number, teamId: number, count = 1) =>
  Array.from({ length: count }, () => ({ channelId, teamId }));

describe("messages", () => {
  const cases: [string, Waiting[], string][] = [
    ["are sent one by one", [due(1), due(2)], "1 2"],
    ["of one target are sent in order", [due(1, 1, 1, { target: "a" }), due(2, 1, 1, { target: "a" })], "1"],
    [
      "wait for an earlier one of their target",
      [due(1, 1, 1, { target: "a", ...later }), due(2, 1, 1, { target: "a" })],
      "",
    ],
    [
      "of one target through several channels do not wait",
      [due(1, 1, 1, { target: "a" }), due(2, 2, 1, { target: "a" })],
      "1 2",
    ],
    ["that are not due are left", [due(1, 1, 1, later)], ""],
    [
      "that were to wait for each other are one from three on",
      [due(1, 1, 1, grouped), due(2, 1, 1, grouped), due(3, 1, 1, grouped)],
      "1+2+3",
    ],
    [
      "that were to wait for each other are two where there are two",
      [due(1, 1, 1, grouped), due(2, 1, 1, grouped)],
      "1 2",
    ],
    [
      "take others with them that may be sent early",
      [due(1, 1, 1, grouped), due(2, 1, 1, early), due(3, 1, 1, early)],
      "1+2+3",
    ],
    ["that may be sent early wait until one is due", [1, 2, 3].map((id) => due(id, 1, 1, early)), ""],
    ["of several users are not one", [due(1, 1, 1, grouped), due(2, 1, 1, grouped), due(3, 1, 2, grouped)], "1 3 2"],
    ["of a drill are sent one by one", [1, 2, 3].map((id) => due(id, 1, 1, { ...grouped, isSingle: true })), "1 2 3"],
    ["that were one before stay one", [1, 2].map((id) => due(id, 1, 1, { wasInDigest: true })), "1+2"],
    [
      "do not include one that waits for an earlier one of its target",
      [
        ...[1, 2, 3].map((id) => due(id, 1, 1, grouped)),
        due(4, 1, 1, { target: "a", ...later }),
        due(5, 1, 1, { target: "a", ...grouped }),
      ],
      "1+2+3",
    ],
    [
      "wait while one of several deliveries is in flight to their channel",
      [due(1, 1, 1, { ...later, isBusy: true }), due(2), due(3, 2)],
      "3",
    ],
  ];
  it.each(cases)("%s", (_, waiting, expected) => expect(choose(waiting)).toBe(expected));

  it("have 200 deliveries at most", () => {
    const [message] = chooseFairly(
      Array.from({ length: 250 }, (_, index) => due(index + 1, 1, 1, grouped)),
      ROOMS,
      LIMITS,
    );
    expect(message).toHaveLength(200);
  });

  it("are one where the budget of their channel is not enough for one each", () => {
    expect(choose([due(1), due(2)], {}, [room(1, { messages: 1 })])).toBe("1+2");
    expect(choose([due(1), due(2)], {}, [room(1, { messages: 1, grouped: false })])).toBe("1");
  });
});

describe("the limits", () => {
  const many = [due(1, 1, 1), due(2, 1, 1), due(3, 2, 1), due(4, 2, 1), due(5, 3, 2), due(6, 3, 2)];
  const cases: [string, Partial<Limits>, string][] = [
    ["give each user one message before a second, and each channel of a user", {}, "1 5 3 6 2 4"],
    ["cut the whole fairly", { limit: 3 }, "1 5 3"],
    ["count what is in flight in the whole", { limit: 3, inFlight: running(9, 9) }, "1 5"],
    ["of a user count what is in flight", { limitPerUser: 2, inFlight: running(9, 1) }, "5 1 6"],
    ["of a channel count what is in flight", { limitPerChannel: 1, inFlight: running(1, 3) }, "3 5"],
    ["prefer users with fewer messages in flight", { inFlight: running(9, 1, 2) }, "5 6 1 3 2 4"],
    ["prefer channels with fewer messages in flight", { inFlight: running(1, 9, 2), limitPerUser: 2 }, "3 5 4 6"],
    ["leave nothing where they are reached", { limit: 2, inFlight: running(9, 9, 2) }, ""],
  ];
  it.each(cases)("%s", (_, limits, expected) => expect(choose(many, limits)).toBe(expected));

  it("of the budget leave the rest for later where messages can not be joined", () =>
    expect(choose(many.slice(0, 2), {}, [room(1, { messages: 1, grouped: false })])).toBe("1"));
});
