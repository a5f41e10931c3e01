import type { Limit } from "../../../lib/sliding-window";

/** A channel with deliveries that are due, and what may be sent through it now. */
export type Room = {
  channelId: number;
  /** Messages that its budget allows this instance now; infinite without a budget. */
  messages: number;
  budget: readonly Limit[];
  /** Whether several deliveries may be sent as one message. */
  grouped: boolean;
};

/** A delivery that is not over. */
export type Waiting = {
  id: number;
  channelId: number;
  teamId: number;
  /** A key of its monitor or server. */
  target: string;
  /** Whether it has to be sent now. */
  isDue: boolean;
  /** Whether it may be sent now: its grouping time has begun, or its provider asked for no pause before the retry. */
  isReady: boolean;
  /** Whether it was to wait for others. */
  isGrouped: boolean;
  /** Whether it is never sent together with others: it is of a drill or a report. */
  isSingle: boolean;
  /** Whether it was in a digest before, and whether that is in flight. */
  wasInDigest: boolean;
  isBusy: boolean;
};

/** Messages in flight in this process, and the limits: in all, of one user and to one channel. */
export type Limits = {
  inFlight: readonly Pick<Waiting, "channelId" | "teamId">[];
  limit: number;
  limitPerUser: number;
  limitPerChannel: number;
};

/** Deliveries in one message at most. */
export const MAX_DIGEST = 200;
/** Deliveries that are needed for one message where the budget is enough for all. */
const MIN_DIGEST = 3;

/** The messages that may be sent through a channel, each as its deliveries. Deliveries of one target keep their order. */
const messagesOf = (waiting: readonly Waiting[], { messages, grouped }: Room): Waiting[][] => {
  if (waiting.some(({ isBusy }) => isBusy)) return [];
  const isOverBudget = waiting.filter(({ isDue }) => isDue).length > messages;
  const isAlone = ({ isReady, isSingle, isGrouped, wasInDigest }: Waiting): boolean =>
    !isReady || !grouped || isSingle || !(isGrouped || wasInDigest || isOverBudget);
  const targets = [...Map.groupBy(waiting, ({ target }) => target).values()];
  const joining = targets.flatMap((list) => {
    const end = list.findIndex(isAlone);
    return end === -1 ? list : list.slice(0, end);
  });
  const byTeam = Map.groupBy(
    joining.toSorted((one, other) => one.id - other.id),
    ({ teamId }) => teamId,
  );
  const digests = [...byTeam.values()].flatMap((all) => {
    const list = all.slice(0, MAX_DIGEST);
    const min = isOverBudget || list.some(({ wasInDigest }) => wasInDigest) ? 2 : MIN_DIGEST;
    return list.length >= min && list.some(({ isDue }) => isDue) ? [list] : [];
  });
  const inDigests = new Set(digests.flatMap(([first]) => first?.teamId ?? []));
  const singles = targets.flatMap(([first]) => (first?.isDue && !inDigests.has(first.teamId) ? [[first]] : []));
  return [...digests, ...singles].toSorted(([one], [other]) => (one?.id ?? 0) - (other?.id ?? 0));
};

/**
 * Chooses the messages to send now, each as its deliveries, from those that wait in the order of their ids. No user and no
 * channel gets more than its limit. Every user gets one message before any gets a second, counting those in flight, and so
 * does every channel of a user.
 */
export const chooseFairly = (
  waiting: readonly Waiting[],
  rooms: readonly Room[],
  { inFlight, limit, limitPerUser, limitPerChannel }: Limits,
): Waiting[][] => {
  const byChannel = Map.groupBy(waiting, ({ channelId }) => channelId);
  const candidates = rooms.flatMap((room) => {
    const running = inFlight.filter(({ channelId }) => channelId === room.channelId).length;
    return messagesOf(byChannel.get(room.channelId) ?? [], room)
      .slice(0, Math.max(0, Math.min(limitPerChannel - running, room.messages)))
      .map((message, index) => ({ message, first: message[0] as Waiting, place: running + index }));
  });
  const byTeam = Map.groupBy(candidates, ({ first }) => first.teamId);
  const ranked = [...byTeam].flatMap(([teamId, list]) => {
    const running = inFlight.filter((one) => one.teamId === teamId).length;
    return list
      .toSorted((one, other) => one.place - other.place || one.first.id - other.first.id)
      .slice(0, Math.max(0, limitPerUser - running))
      .map((one, index) => ({ ...one, place: running + index }));
  });
  return ranked
    .toSorted((one, other) => one.place - other.place || one.first.id - other.first.id)
    .slice(0, Math.max(0, limit - inFlight.length))
    .map(({ message }) => message);
};
