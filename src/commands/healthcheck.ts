import { readConfig } from "../core/config";

export const help = `usage: wakeful healthcheck

Asks the Wakeful server on this machine whether it is healthy: exits 0 if it is, 1 if not. It finds the server by the
same settings as the server itself: HOST (127.0.0.1 when the server listens on every address), PORT and BASE_PATH.
`;

export const run = async (): Promise<void> => {
  const { port, basePath, host } = readConfig(process.env);
  const address = ["0.0.0.0", "::", ""].includes(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  const response = await fetch(`http://${address}:${port}${basePath}health`, {
    signal: AbortSignal.timeout(5000),
  }).catch(() => {
    throw new Error(`nothing answers at ${address}:${port}`);
  });
  if (!response.ok) throw new Error(`the console answers ${response.status}`);
  process.stdout.write("ok\n");
};
