/** Own domains of status pages behind Caddy, which asks the hub before it gets a certificate. */
import { expect, it } from "bun:test";
import { startTestServer } from "../../src/testing/servers/hub";
import { startService } from "./lib/service";

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
  const hub = await startTestServer({ PUBLIC_URL: "https://watch.example.com", TRUST_PROXY: "1" });
  const { alice } = await hub.people();
  const components = [{ name: "Checkout", fixed_status: "operational" }];
  const page = { slug: "shop", title: "Acme", domains: ["status.acme.test"], components };
  expect((await hub.as(alice).post("/api/pages", page)).status).toBe(201);
  const { port } = await startService({
    program: "caddy",
    args: () => ["run", "--config", "Caddyfile", "--adapter", "caddyfile"],
    files: ({ port }) => ({ Caddyfile: caddyfile(port, hub.port) }),
  });
  const open = async (host: string, path: string): Promise<string> => {
    const at = ["--resolve", `${host}:${port}:127.0.0.1`, `https://${host}:${port}${path}`];
    const child = Bun.spawn(["curl", "-sk", "--max-time", "20", "-w", "\n%{http_code}", ...at], { stdout: "pipe" });
    return new Response(child.stdout).text();
  };
  const document = await open("status.acme.test", "/");
  expect(document).toInclude('<link rel="canonical" href="https://status.acme.test/">');
  expect(document).toEndWith("\n200");
  expect(await open("status.acme.test", "/api/v2/status.json")).toEndWith("\n200");
  for (const path of ["/login", "/api/auth/me", "/internal/tls-ask?domain=status.acme.test"])
    expect([path, (await open("status.acme.test", path)).endsWith("\n404")]).toEqual([path, true]);
  // The handshake fails.
  expect(await open("other.test", "/")).toBe("\n000");
}, 60_000);
