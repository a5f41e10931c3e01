/** Returns the reader's result, or the fallback when it throws, so that one unreadable figure does not stop the agent. */
export const attempt = <T, F>(read: () => T, fallback: F): T | F => {
  try {
    return read();
  } catch {
    return fallback;
  }
};

/** Runs a system command and returns its output, or an empty string when it is missing, fails or times out. */
export const outputOf = async (words: string[], timeout = 10_000): Promise<string> => {
  try {
    const child = Bun.spawn(words, {
      env: { ...process.env, LC_ALL: "C" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
      timeout: timeout,
      windowsHide: true,
    });
    return await new Response(child.stdout).text();
  } catch {
    return "";
  }
};

export type OutputOf = typeof outputOf;
