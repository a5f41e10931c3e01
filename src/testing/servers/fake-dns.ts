// Run by probe/http/public.test.ts in a network where 1.1.1.1 is this machine and the test sets the names: a public web
// server that redirects, a private one, and a probe of each URL.
import { createServer } from "node:https";
import type { TLSSocket } from "node:tls";
import { probe, targetOf } from "./target-of";

const { pair, places, urls } = JSON.parse(process.argv.at(-1) ?? "") as {
  pair: { key: string; cert: string };
  places: Record<string, string>;
  urls: string[];
};

const hosts: string[] = [];
const secure = createServer(pair, ({ headers, socket }, response) => {
  hosts.push(`${headers.host} as ${(socket as TLSSocket & { servername?: string }).servername}`);
  response.end("fine");
});
await new Promise<void>((resolve) => secure.listen(443, "1.1.1.1", resolve));
Bun.serve({
  hostname: "1.1.1.1",
  port: 80,
  fetch: ({ url }) => {
    const location = places[new URL(url).pathname];
    return location ? new Response(null, { status: 302, headers: { location } }) : new Response("fine");
  },
});
let reached = 0;
const trap = () => {
  reached++;
  return new Response("private");
};
for (const port of [80, 8081]) Bun.serve({ hostname: "127.0.0.1", port, fetch: trap });

const errors: Record<string, string | null> = {};
for (const url of urls) errors[url] = (await probe(targetOf({ url, allowPrivate: false }))).error?.code ?? null;
process.stdout.write(JSON.stringify({ errors, hosts, reached }));
process.exit(0);
