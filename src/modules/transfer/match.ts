/**
 * Matches each new item with an equal stored one, or null. Each stored item matches once: of
 * two equal new items and one stored, one is new. An item with the same id is preferred.
 * @param keyOf returns equal keys for equal items
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
 * Matches a server of a file with one of the user's: the one with that hostname; of several the one with its id, or
 * else with its name. Null when there is none or the match is ambiguous.
 */
export const matchServer = (sent: Server, own: readonly Server[]): number | null => {
  const there = own.filter(({ hostname }) => hostname === sent.hostname);
  const same = there.find(({ id }) => id === sent.id) ?? there.find(({ name }) => name === sent.name);
  return (same ?? (there.length === 1 ? there[0] : undefined))?.id ?? null;
};
