import { describe, expect, it } from "bun:test";
import { probe, targetOf } from "../../testing/servers/target-of";
import { serveTarget } from "../../testing/servers/targets";

const BLOCKED = { code: "blocked_private", detail: null } as const;

describe("a user who may not reach private addresses", () => {
  it("is refused every spelling of them without any connection", async () => {
    const { port, requests } = serveTarget();
    const hosts = [
      "127.0.0.1",
      "localhost",
      "LocalHost",
      "2130706433",
      "0x7f000001",
      "0x7f.1",
      "017700000001",
      "127.1",
      "0",
      "0.0.0.0",
      "127.0.0.1.",
      "①②⑦.0.0.1",
      "[::1]",
      "[::]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "[::127.0.0.1]",
      "[0:0:0:0:0:0:0:1]",
      "[64:ff9b::7f00:1]",
      "[2002:7f00:1::]",
    ];
    for (const host of hosts) {
      const { up, error } = await probe(targetOf({ url: `http://${host}:${port}/`, allowPrivate: false }));
      expect({ host, up, error }).toEqual({ host, up: false, error: BLOCKED });
    }
    expect(requests).toHaveLength(0);
  });

  it("is refused private, cloud and link-local networks", async () => {
    const hosts = ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.100.100.200"];
    for (const host of [...hosts, "[fd00:ec2::254]", "[fe80::1]", "224.0.0.1", "255.255.255.255"]) {
      const { error } = await probe(targetOf({ url: `http://${host}/latest/meta-data`, allowPrivate: false }));
      expect(error).toEqual(BLOCKED);
    }
  });

  it("is refused them also with credentials, ports and https", async () => {
    for (const url of ["http://a:b@127.0.0.1:1/", "https://127.0.0.1/", "https://user@localhost:8443/"]) {
      expect((await probe(targetOf({ url, allowPrivate: false }))).error).toEqual(BLOCKED);
    }
  });

  it("gets the same answer for open and closed private ports", async () => {
    const { port } = serveTarget();
    const open = await probe(targetOf({ url: `http://127.0.0.1:${port}/`, allowPrivate: false }));
    const closed = await probe(targetOf({ url: "http://127.0.0.1:1/", allowPrivate: false }));
    expect(open).toEqual(closed);
  });
});

it("a user who may reach private addresses does, in any spelling", async () => {
  const { port, requests } = serveTarget();
  for (const host of ["127.0.0.1", "localhost", "2130706433", "0x7f.1"]) {
    expect((await probe(targetOf({ url: `http://${host}:${port}/` }))).error).toBeNull();
  }
  expect(requests).toHaveLength(4);
});
