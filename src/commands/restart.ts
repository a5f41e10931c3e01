type Execve = (file: string, words: readonly string[], environment: Record<string, string>) => void;

/** Environment variables that reduce the memory of the runtime. */
const SMALL = {
  // A third of the memory.
  BUN_JSC_useJIT: "0",
  // Half a megabyte, by a heap that grows in small steps and threads that the collector does not start.
  BUN_OPTIONS: "--smol",
  BUN_JSC_numberOfGCMarkers: "1",
  BUN_JSC_useConcurrentGC: "0",
  // Another half: compiled functions that are next called a minute later are dropped until then.
  BUN_JSC_forceCodeBlockToJettisonDueToOldAge: "1",
  BUN_JSC_useEagerCodeBlockJettisonTiming: "1",
};

/** Environment variables that the runtime reads only at process start, by command. */
export const startVariables = ([command = "serve", action]: readonly string[]): Record<string, string> => {
  // Bun limits fetch to 256 simultaneous requests by default, so hanging targets would delay healthy ones:
  // https://bun.com/docs/runtime/networking/fetch#simultaneous-connection-limit
  if (command === "serve") return { BUN_CONFIG_MAX_HTTP_REQUESTS: "32768" };
  // An unresponsive disk holds a thread, so there are more threads than a machine with few processors would get.
  if (command === "agent" && action === "start") return { ...SMALL, UV_THREADPOOL_SIZE: "16" };
  return {};
};

/**
 * Restarts this process with the variables its command needs, if one is not set. Where the system does not
 * support execve, it continues without them.
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
 * Removes the proxy settings that Bun's fetch reads from the environment of `serve`: checks and deliveries connect to
 * the verified address. The agent may reach its hub through a proxy.
 */
export const ignoreProxies = ([command = "serve"]: string[], env: Record<string, string | undefined>): void => {
  if (command !== "serve") return;
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]) {
    delete env[name];
    delete env[name.toLowerCase()];
  }
};
