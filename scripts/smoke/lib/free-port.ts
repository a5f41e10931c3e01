/** The first port that Linux gives to outgoing connections by default. */
const FIRST_EPHEMERAL = 32_768;
/** Above the ports that browsers refuse. */
const FIRST = 11_000;

/** A free port of 127.0.0.1 that no outgoing connection can take before the caller listens on it. */
export const freePort = (): number => {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (FIRST_EPHEMERAL - FIRST));
    try {
      Bun.listen({ hostname: "127.0.0.1", port, socket: { data: () => {} } }).stop(true);
      return port;
    } catch {} // Another program listens on it.
  }
};
