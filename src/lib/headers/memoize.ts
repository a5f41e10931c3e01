/** Texts that are remembered at most, and the length of each. */
const [MAX_TEXTS, MAX_LENGTH] = [500, 200];

/** A function of a text that remembers its results: the same few headers come with most requests. */
export const memoize = <T>(compute: (text: string) => T): ((text: string) => T) => {
  const results = new Map<string, T>();
  return (text) => {
    if (text.length > MAX_LENGTH) return compute(text);
    if (results.has(text)) return results.get(text) as T;
    const result = compute(text);
    // Clients choose the texts.
    if (results.size >= MAX_TEXTS) results.clear();
    results.set(text, result);
    return result;
  };
};
