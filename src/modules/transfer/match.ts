/**
 * Finds for each of some new things the stored one that it equals, or null. Each stored thing is found once only: of
 * two equal new things and one stored, one is new. The one that has the same id is preferred.
 * @param keyOf what two things have in common exactly when they are equal
 */
export const matchEqual = <New extends { id?: number }, Stored extends { id: number }>(
  fresh: readonly New[],
  stored: readonly Stored[],
  keyOf: (thing: New | Stored) => string,
): (number | null)[] => {
  const waiting = new Map<string, Set<number>>();
  for (const thing of stored) {
    const key = keyOf(thing);
    waiting.set(key, (waiting.get(key) ?? new Set()).add(thing.id));
  }
  const keys = fresh.map(keyOf);
  const found: (number | null)[] = fresh.map(() => null);
  const take = (index: number, id: number | undefined) => {
    const candidates = waiting.get(keys[index] as string);
    if (id === undefined || !candidates?.delete(id)) return;
    found[index] = id;
  };
  for (const [index, { id }] of fresh.entries()) take(index, id);
  for (const [index, key] of keys.entries())
    if (found[index] === null) take(index, waiting.get(key)?.values().next().value);
  return found;
};

type Server = { id: number; name: string; hostname: string };

/**
 * Finds the server that a file speaks of among one's own: the one on that host; of several the one with its id, or
 * else with its name. Null where there is none, or no telling which.
 */
export const matchServer = (wanted: Server, own: readonly Server[]): number | null => {
  const there = own.filter(({ hostname }) => hostname === wanted.hostname);
  const same = there.find(({ id }) => id === wanted.id) ?? there.find(({ name }) => name === wanted.name);
  return (same ?? (there.length === 1 ? there[0] : undefined))?.id ?? null;
};
