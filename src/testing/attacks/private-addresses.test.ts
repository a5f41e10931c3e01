/** Attempts of a user to reach private addresses: by every kind of monitor and channel, in every spelling. */
import { describe, expect, it } from "bun:test";
import { channelKinds } from "../../modules/alerting/channels/registry";
import { KINDS } from "../../modules/monitors/kinds/registry";
import { MINUTE } from "../../shared/limits";
import { createTestApp } from "../app";
import type { TestUser } from "../fixtures/people";
import { PROVIDERS } from "../servers/every-provider";
import { serveTarget } from "../servers/targets";

/** Spellings of this machine, then of other addresses that are not public. */
const HOSTS = `
  127.0.0.1 127.0.0.1. 127.1 127.0.1 127.000.000.001 0177.0.0.1 0x7f.0.0.1 0x7f.1 2130706433 0x7f000001 017700000001
  0 0.0.0.0 0x0 127.255.255.254 ①②⑦.⓪.⓪.① １２７.０.０.１ 127。0。0。1 127．0．0．1 %31%32%37.0.0.1
  localhost LOCALHOST localhost. ｌｏｃａｌｈｏｓｔ
  [::1] [0:0:0:0:0:0:0:1] [::] [::ffff:127.0.0.1] [::FFFF:7f00:1] [::127.0.0.1] [::ffff:0:127.0.0.1] [::ffff:0:0]
  [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2002:7f00:1::1] [2001:0:7f00:1::1]
  [2001:0:4136:e378:8000:63bf:80ff:fffe]
  10.0.0.1 10.1 167772161 0xa000001 012.0.0.1 172.16.0.1 172.31.255.255 2886729729 192.168.1.1 192.168.257 3232235777
  169.254.169.254 169.254.43518 2852039166 0xa9fea9fe 0251.0376.0251.0376 [::ffff:169.254.169.254] [::ffff:a9fe:a9fe]
  [64:ff9b::a9fe:a9fe] [2002:a9fe:a9fe::] [fd00:ec2::254] 100.100.100.200 100.64.0.1 168.63.129.16 [::ffff:168.63.129.16]
  192.0.0.192 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 192.88.99.1 192.31.196.1 192.175.48.1 224.0.0.1 239.255.255.250
  240.0.0.1 255.255.255.255 161.26.0.10 166.9.0.1
  [fc00::1] [fd12:3456::1] [fe80::1] [fec0::1] [ff02::1] [2001:db8::1] [2001:20::1] [2001::1] [5f00::1] [3fff::1] [100::1]
  [100:0:0:1::1] [4000::1] [2620:4f:8000::1] [::8.8.8.8] [::ffff:0:8.8.8.8] [64:ff9b:1::808:808]
`
  .trim()
  .split(/\s+/);

/** The fields that make a monitor of each kind connect to a host. Domains are looked up at registries only. */
const MONITORS: Record<string, (host: string, port: number) => object> = {
  http: (host, port) => ({ url: `http://${host}:${port}/` }),
  tcp: (host, port) => ({ host, port }),
  tls: (host, port) => ({ host, port }),
  dns: (host) => ({ name: "shop.example", type: "A", server: host }),
  ping: (host) => ({ host }),
  websocket: (host, port) => ({ url: `ws://${host}:${port}/` }),
  grpc: (host, port) => ({ url: `http://${host}:${port}/` }),
};

/** Kinds of channels that send to an address of the user's. */
const CHANNELS = Object.keys(PROVIDERS).filter((kind) =>
  channelKinds.get(kind)?.fields.some(({ type }) => type === "url"),
);

const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  type Path = "/api/monitors/probe" | "/api/notifications/channels/test";
  const callAs = (user: TestUser) => async (path: Path, body: object) => {
    // A user may make thirty calls in a minute.
    await app.clock.advance(MINUTE);
    return app.as(user).post(path, body);
  };
  return { asUser: callAs(bob), asAdministrator: callAs(alice) };
};

/** A host as it is written where no port follows. */
const bare = (host: string) => host.replace(/^\[(.*)\]$/, "$1");

describe("a user reaches no private address", () => {
  it("the kinds of monitors that connect to a host are all tried", () => {
    const connecting = KINDS.filter(({ passive, kind }) => !passive && kind !== "domain").map(({ kind }) => kind);
    expect(Object.keys(MONITORS).toSorted()).toEqual(connecting.toSorted());
  });

  it.each(Object.keys(MONITORS))("by a monitor of the kind %s, which administrators can", async (kind) => {
    const { asUser, asAdministrator } = await setUp();
    const { port = 0, requests } = serveTarget();
    const monitorOf = (host: string) => {
      const config = MONITORS[kind]?.(host, port);
      return { kind, timeout: 1, ...(kind === "http" ? config : { config }) };
    };
    const reached = await asAdministrator("/api/monitors/probe", monitorOf("127.0.0.1"));
    expect(reached.status).toBe(200);
    expect(reached.body.result.error_code).not.toBe("blocked_private");
    requests.length = 0;
    const through: string[] = [];
    let blocked = 0;
    for (const host of HOSTS) {
      const written = ["http", "websocket", "grpc"].includes(kind) ? host : bare(host);
      const { status, body } = await asUser("/api/monitors/probe", monitorOf(written));
      if (status === 200 && body.result.up === false && body.result.error_code === "blocked_private") blocked++;
      else if (status !== 422) through.push(`${host}: ${status} ${body.result?.error_code}`);
    }
    expect(through).toEqual([]);
    expect(requests).toEqual([]);
    // Others are no valid hosts.
    expect(blocked).toBeGreaterThan(HOSTS.length / 2);
  });

  it("by an address of another scheme", async () => {
    const { asUser } = await setUp();
    const { port, requests } = serveTarget();
    const rest = `//127.0.0.1:${port}/`;
    for (const scheme of [
      "file",
      "ftp",
      "gopher",
      "dict",
      "ldap",
      "data",
      "blob",
      "javascript",
      "unix",
      "jar",
      "view-source",
    ]) {
      const { status } = await asUser("/api/monitors/probe", { url: `${scheme}:${rest}` });
      expect([scheme, status]).toEqual([scheme, 422]);
    }
    expect(requests).toEqual([]);
  });

  it.each(CHANNELS)("by a channel of the kind %s, which administrators can", async (kind) => {
    const { asUser, asAdministrator } = await setUp();
    const provider = PROVIDERS[kind]?.();
    if (!provider) throw new Error(`no provider for ${kind}`);
    const config = JSON.stringify(provider.config);
    const { origin, port } = new URL(/https?:\/\/127\.0\.0\.1:\d+/.exec(config)?.[0] ?? "");
    await asAdministrator("/api/notifications/channels/test", { name: "x", type: kind, config: provider.config });
    expect(provider.requests.length).toBeGreaterThan(0);
    provider.requests.length = 0;
    for (const host of [
      "127.0.0.1",
      "localhost",
      "2130706433",
      "0x7f.1",
      "[::1]",
      "[::ffff:7f00:1]",
      "[64:ff9b::7f00:1]",
      "10.0.0.1",
      "169.254.169.254",
    ]) {
      const moved = JSON.parse(config.replaceAll(origin, `http://${host}:${port}`));
      const { status, text } = await asUser("/api/notifications/channels/test", {
        name: "x",
        type: kind,
        config: moved,
      });
      expect([host, status >= 400, text.includes('"success":true')]).toEqual([host, true, false]);
    }
    expect(provider.requests).toEqual([]);
  });
});
