/** What a reader gives, or the fallback when it throws: a figure that cannot be read is missing, and ends nothing. */
export const attempt = <T, F>(read: () => T, fallback: F): T | F => {
  try {
    return read();
  } catch {
    return fallback;
  }
};
