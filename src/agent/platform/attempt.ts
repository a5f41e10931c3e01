/** Returns the reader's result, or the fallback when it throws, so that one unreadable figure does not stop the agent. */
export const attempt = <T, F>(read: () => T, fallback: F): T | F => {
  try {
    return read();
  } catch {
    return fallback;
  }
};
