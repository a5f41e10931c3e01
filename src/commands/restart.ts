type Execve = (file: string, words: readonly string[], environment: Record<string, string>) => void;

/** What the runtime reads only when a process starts, by command. */
export const startVariables = ([command = "serve", action]: readonly string[]): Record<string, string> => {
  // Bun makes at most 256 requests at once unless told otherwise, and targets that hang would hold up healthy ones:
  // https://bun.com/docs/runtime/networking/fetch#simultaneous-connection-limit
  if (command === "serve") return { BUN_CONFIG_MAX_HTTP_REQUESTS: "32768" };
  // Without a compiler the runtime takes a third less memory. A disk that does not answer holds a thread, so there are
  // more threads than a machine with few processors would get.
  if (command === "agent" && action === "start") return { BUN_JSC_useJIT: "0", UV_THREADPOOL_SIZE: "16" };
  return {};
};

/**
 * Starts this process again with the variables that its command needs, where one is not set. Where the system does not
 * allow that, it goes on without them.
 */
export const restartWith = (
  words: readonly string[],
  script: readonly string[],
  environment: Record<string, string | undefined>,
  execve: Execve | undefined = process.execve as Execve | undefined,
): void => {
  const needed = startVariables(words);
  if (process.platform === "win32" || Object.keys(needed).every((name) => environment[name] !== undefined)) return;
  try {
    execve?.(process.execPath, [process.execPath, ...script, ...words], { ...needed, ...environment } as Record<
      string,
      string
    >);
  } catch {}
};

/**
 * Removes the proxy settings that Bun's fetch obeys from the environment of `serve`: checks and deliveries connect to
 * the address that was judged. The agent may reach its hub through a proxy.
 */
export const ignoreProxies = ([command = "serve"]: string[], env: Record<string, string | undefined>): void => {
  if (command !== "serve") return;
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]) {
    delete env[name];
    delete env[name.toLowerCase()];
  }
};
