import { describe, expect, it, onTestFinished } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCertificate } from "../../testing/servers/certificates";

/** Enters a network namespace that can have public addresses. Only some Linux systems allow it. */
const ENTER = ["unshare", "--map-root-user", "--net", "--mount", "sh", "-c"];
const PREPARE = `ip link set lo up && ip addr add 9.9.9.9/32 dev lo && ip route add local 1.1.1.1/32 dev lo && mount --bind "$HOSTS" /etc/hosts`;
const HOSTS = "127.0.0.1 localhost private.test both.test\n1.1.1.1 shop.test both.test\n9.9.9.9 own.test\n";

const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "wakeful-network-"));
  writeFileSync(join(path, "hosts"), HOSTS);
  return path;
};

const possible = ((): boolean => {
  if (process.platform !== "linux" || !Bun.which("unshare") || !Bun.which("ip")) return false;
  const path = folder();
  const { success } = Bun.spawnSync([...ENTER, PREPARE], { env: { ...process.env, HOSTS: join(path, "hosts") } });
  rmSync(path, { recursive: true });
  return success;
})();

const run = async (places: Record<string, string>, urls: string[]) => {
  const path = folder();
  onTestFinished(() => rmSync(path, { recursive: true }));
  const pair = makeCertificate({ name: "shop.test", days: 30 });
  writeFileSync(join(path, "trusted.pem"), pair.cert);
  const script = join(import.meta.dir, "../../testing/servers/fake-dns.ts");
  const child = Bun.spawn([...ENTER, `${PREPARE} && exec "$BUN" "$SCRIPT" "$GIVEN"`], {
    env: {
      ...process.env,
      HOSTS: join(path, "hosts"),
      NODE_EXTRA_CA_CERTS: join(path, "trusted.pem"),
      BUN: process.execPath,
      SCRIPT: script,
      GIVEN: JSON.stringify({ pair, places, urls }),
    },
    stdout: "pipe",
  });
  const { errors, hosts, reached } = JSON.parse(await new Response(child.stdout).text());
  return { errors: errors as Record<string, string | null>, hosts: hosts as string[], reached: reached as number };
};

describe.if(possible)("a user who may reach public addresses only", () => {
  it("is not redirected to a private address in any spelling or under any name", async () => {
    const places: Record<string, string> = {
      "/loopback": "http://127.0.0.1:8081/",
      "/mapped": "http://[::ffff:127.0.0.1]:8081/",
      "/six": "http://[::1]:8081/",
      "/decimal": "http://2130706433:8081/",
      "/hexadecimal": "http://0x7f000001:8081/",
      "/name": "http://private.test:8081/",
      "/metadata": "http://169.254.169.254/latest/meta-data",
      "/twice": "http://shop.test/loopback",
    };
    const urls = Object.keys(places).map((place) => `http://shop.test${place}`);
    const { errors, reached } = await run(places, urls);
    for (const url of urls) expect([url, errors[url]]).toEqual([url, "blocked_private"]);
    expect(reached).toBe(0);
  });

  it("is refused this machine's own addresses, including public ones and IPv6 forms of them", async () => {
    const urls = ["http://9.9.9.9:8081/", "http://own.test/", "http://[::ffff:9.9.9.9]/", "http://[64:ff9b::909:909]/"];
    const { errors } = await run({}, urls);
    for (const url of urls) expect([url, errors[url]]).toEqual([url, "blocked_private"]);
  });

  it("reaches public addresses by name, with the name that the server and its certificate expect", async () => {
    const urls = ["http://shop.test/", "https://shop.test/", "http://both.test/", "https://1.1.1.1/"];
    const { errors, hosts, reached } = await run({}, urls);
    expect(urls.map((url) => errors[url])).toEqual([null, null, null, "tls_wrong_name"]);
    expect(hosts).toEqual(["shop.test as shop.test"]);
    expect(reached).toBe(0);
  });
});
