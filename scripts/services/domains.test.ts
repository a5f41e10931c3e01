/** Own domains of status pages behind Caddy, which asks the hub before it gets a certificate, and behind nginx. */
import { expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeCertificate } from "../../src/testing/servers/certificates";
import { startTestServer } from "../../src/testing/servers/hub";
import { freePort } from "../smoke/lib/free-port";
import { startService } from "./lib/service";

const DOMAIN = "status.acme.test";

/** A hub with a page that has a domain. */
const startHub = async () => {
  const hub = await startTestServer({ PUBLIC_URL: "https://watch.example.com", TRUST_PROXY: "1" });
  const { alice } = await hub.people();
  const components = [{ name: "Checkout", fixed_status: "operational" }];
  const page = { slug: "shop", title: "Acme", domains: [DOMAIN], components };
  expect((await hub.as(alice).post("/api/pages", page)).status).toBe(201);
  return hub;
};

/** The answer to a request for a host that leads here, with its status in the last line. */
const open = async (url: string, ...options: string[]): Promise<string> => {
  const { hostname, port } = new URL(url);
  const at = ["--resolve", `${hostname}:${port}:127.0.0.1`, url];
  const child = Bun.spawn(["curl", "-sk", "--max-time", "20", "-w", "\n%{http_code}", ...options, ...at], {
    stdout: "pipe",
  });
  return new Response(child.stdout).text();
};

const expectPage = async (origin: string) => {
  const document = await open(`${origin}/`);
  expect(document).toInclude(`<link rel="canonical" href="https://${DOMAIN}/">`);
  expect(document).toEndWith("\n200");
  expect(await open(`${origin}/api/v2/status.json`)).toEndWith("\n200");
  for (const path of ["/login", "/api/auth/me", `/internal/tls-ask?domain=${DOMAIN}`])
    expect([path, (await open(origin + path)).endsWith("\n404")]).toEqual([path, true]);
};

/** The Caddyfile of docs/status-page.md with ports and certificates of this machine. */
const caddyfile = (port: number, hub: number): string => `{
  admin off
  auto_https disable_redirects
  https_port ${port}
  skip_install_trust
  on_demand_tls {
    ask http://127.0.0.1:${hub}/internal/tls-ask
  }
}
https:// {
  tls internal {
    on_demand
  }
  reverse_proxy 127.0.0.1:${hub}
}
`;

it("a domain of a page gets a certificate and the page alone, and other names get none", async () => {
  const hub = await startHub();
  const { port } = await startService({
    program: "caddy",
    args: () => ["run", "--config", "Caddyfile", "--adapter", "caddyfile"],
    files: ({ port }) => ({ Caddyfile: caddyfile(port, hub.port) }),
  });
  await expectPage(`https://${DOMAIN}:${port}`);
  // The handshake fails.
  expect(await open(`https://other.test:${port}/`)).toBe("\n000");
}, 60_000);

/** The servers of docs/status-page.md with ports and files of this machine. */
const nginxServers = (folder: string, ports: { http: number; https: number; hub: number }): string => {
  const docs = readFileSync(join(import.meta.dir, "../../docs/status-page.md"), "utf8");
  const servers = [...docs.matchAll(/```nginx\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
  expect(servers).toHaveLength(2);
  return servers
    .join("")
    .replaceAll("listen 80;", `listen ${ports.http};`)
    .replaceAll("listen 443 ", `listen ${ports.https} `)
    .replaceAll("127.0.0.1:8080", `127.0.0.1:${ports.hub}`)
    .replaceAll("/etc/letsencrypt/live/status.acme.com", folder)
    .replaceAll("/var/www/acme", folder)
    .replaceAll("status.acme.com", DOMAIN);
};

it("nginx passes a domain on as docs/status-page.md configures it", async () => {
  const hub = await startHub();
  const [http, { cert, key }] = [freePort(), makeCertificate({ name: DOMAIN, days: 2 })];
  const challenge = ".well-known/acme-challenge/token";
  const { port } = await startService({
    program: "nginx",
    args: ({ folder }) => ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"],
    files: ({ folder, port }) => ({
      ...{ "fullchain.pem": cert, "privkey.pem": key, [challenge]: "proof" },
      "nginx.conf": `daemon off; master_process off; pid pid; events {}
        http {
          access_log off;
          ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${name};`).join(" ")}
          ${nginxServers(folder, { http, https: port, hub: hub.port })}
        }`,
    }),
  });
  await expectPage(`https://${DOMAIN}:${port}`);
  expect(await open(`http://${DOMAIN}:${http}/history?day=1`, "-D", "-")).toInclude(
    `Location: https://${DOMAIN}/history?day=1`,
  );
  expect(await open(`http://${DOMAIN}:${http}/${challenge}`)).toBe("proof\n200");
}, 60_000);
