import { afterAll, beforeAll, expect, it } from "bun:test";
import { freePort } from "./lib/free-port";
import { type HubProcess, installConsole, startConsole } from "./lib/hub";
import { startNginx } from "./lib/nginx";

const installation = installConsole();
let running: HubProcess;
let proxy: Awaited<ReturnType<typeof startNginx>>;
const ports = { leaving: freePort(), stripping: freePort() };

beforeAll(async () => {
  running = await startConsole(installation, { BASE_PATH: "/wakeful" });
  const server = (port: number, to: string) =>
    `server { listen 127.0.0.1:${port}; location /wakeful/ { proxy_pass ${to}; } }`;
  proxy = await startNginx(
    ports.leaving,
    server(ports.leaving, running.origin) + server(ports.stripping, `${running.origin}/`),
  );
});

afterAll(async () => {
  await proxy.stop();
  await running.stop();
  installation.remove();
});

for (const [way, port] of Object.entries(ports)) {
  const address = `http://127.0.0.1:${port}/wakeful/`;

  it(`serves the page and its parts behind a proxy that is ${way} the sub-path`, async () => {
    for (const path of ["", "login", "monitors/edit/7"]) {
      const response = await fetch(address + path);
      expect(response.status).toBe(200);
      const html = await response.text();
      expect(html).toContain('<base href="/wakeful/">');
      const parts = [...html.matchAll(/(?:src|href)="([^"]+\.(?:js|css|svg))"/g)].map(([, name = ""]) => name);
      expect(parts.length).toBeGreaterThan(2);
      for (const part of parts) {
        const found = await fetch(new URL(part, address));
        expect(found.status).toBe(200);
        expect(found.headers.get("content-type")).not.toContain("html");
      }
    }
  });

  it(`answers the API behind a proxy that is ${way} the sub-path`, async () => {
    const person = { username: `alice-${way}`, password: "correct horse battery" };
    const post = (path: string) =>
      fetch(address + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(person),
      });
    expect((await post("api/auth/register")).status).toBe(201);
    expect(await (await post("api/auth/login")).json()).toMatchObject({ success: true, token: expect.any(String) });
    const missing = await fetch(`${address}api/nope`);
    expect(missing.status).toBe(404);
    expect(await missing.json()).toMatchObject({ code: "not_found" });
    expect((await fetch(`${address}health`)).status).toBe(200);
  });
}
