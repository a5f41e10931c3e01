/** What a small program of the system prints, or nothing when it is not there, fails or takes too long. */
export const outputOf = async (words: string[], patience = 10_000): Promise<string> => {
  try {
    const child = Bun.spawn(words, {
      env: { ...process.env, LC_ALL: "C" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
      timeout: patience,
      windowsHide: true,
    });
    return await new Response(child.stdout).text();
  } catch {
    return "";
  }
};

export type OutputOf = typeof outputOf;
