/** Searches texts of strangers in a time that grows with their length only, unlike `includes`, which may take seconds. */

/** Characters of a value that `includes` searches quickly in any text. */
const QUICK = 8;

/** For each position of a value, how many of its first characters end there again (Knuth, Morris and Pratt). */
const borders = (value: string): Uint16Array => {
  const lengths = new Uint16Array(value.length);
  for (let at = 1, length = 0; at < value.length; at++) {
    while (length > 0 && value[at] !== value[length]) length = lengths[length - 1] ?? 0;
    if (value[at] === value[length]) length++;
    lengths[at] = length;
  }
  return lengths;
};

/** Whether a text contains a value of at most 65,535 characters. */
export const includesText = (text: string, value: string): boolean => {
  const start = text.indexOf(value.slice(0, QUICK));
  if (start < 0 || value.length <= QUICK) return start >= 0;
  const fallback = borders(value);
  for (let at = start, length = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (length > 0 && value.charCodeAt(length) !== code) length = fallback[length - 1] ?? 0;
    if (value.charCodeAt(length) === code) length++;
    if (length === value.length) return true;
  }
  return false;
};
