import { describe, expect, it, onTestFinished } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProbing } from "./lib/probing";
import { find } from "./lib/service";

/**
 * A network with another host, 10.9.0.2 and fd00:9::2. It drops packets to 10.9.0.3, no host has 10.9.0.4, and it is a router
 * without a route to 10.5.0.0/24.
 */
const NETWORK = `set -e
ip link set lo up
ip link add here type veth peer name there
unshare --net sleep 60 & peer=$!
trap 'kill $peer' EXIT
while [ "$(readlink /proc/$peer/ns/net)" = "$(readlink /proc/$$/ns/net)" ]; do sleep 0.02; done
ip link set there netns $peer
nsenter --target $peer --net ip addr add 10.9.0.2/24 dev there
nsenter --target $peer --net ip addr add fd00:9::2/64 dev there nodad
nsenter --target $peer --net ip link set there up
ip addr add 10.9.0.1/24 dev here
ip addr add fd00:9::1/64 dev here nodad
ip link set here up
mac=$(nsenter --target $peer --net ip -o link show there | sed 's/.*link.ether \\([0-9a-f:]*\\).*/\\1/')
ip neigh add 10.9.0.3 lladdr $mac dev here nud permanent
nsenter --target $peer --net sh -c 'cd /proc/sys/net/ipv4; echo 1 >ip_forward; echo 0 >icmp_ratelimit'
nsenter --target $peer --net ip route add blackhole 10.9.0.3
nsenter --target $peer --net ip route add unreachable 10.5.0.0/24
ip route add 10.5.0.0/24 via 10.9.0.2
ip route add blackhole 10.8.0.0/24
ip route add prohibit 10.6.0.0/24
`;
const ENTER = ["unshare", "--map-root-user", "--net", "--fork", "--kill-child", "sh", "-c"];
const possible = process.platform === "linux" && Bun.spawnSync([...ENTER, NETWORK]).success;

const { codeOf, probe } = await startProbing();

it("this machine answers at its own addresses by either protocol, and as an administrator's target only", async () => {
  for (const host of ["127.0.0.1", "::1", "localhost"]) {
    const { up, response_time } = await probe("ping", { host, count: 1 });
    expect([host, up, Number(response_time) > 0]).toEqual([host, true, true]);
  }
  expect(await codeOf("ping", { host: "none.invalid" })).toBe("dns_no_name");
});

describe.if(possible)("in a network with one other host", () => {
  it("ping tells hosts that answer from those that do not, and checks of ports name why a host cannot be reached", async () => {
    const folder = mkdtempSync(join(tmpdir(), "wakeful-ping-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const busybox = join(folder, "ping");
    symlinkSync(find("busybox"), busybox);
    const hosts = {
      "10.9.0.2": "up",
      "six.test": "up",
      "10.9.0.3": "ping_lost",
      "10.8.0.1": "unreachable_network",
      "10.7.0.1": "unreachable_network",
      "10.6.0.1": "unreachable_prohibited",
    };
    const child = Bun.spawn(
      [
        ...ENTER,
        `${NETWORK}"$@"`,
        "sh",
        process.execPath,
        join(import.meta.dir, "lib/ping-network.ts"),
        JSON.stringify([...Object.keys(hosts), "10.5.0.1"]),
        JSON.stringify(["10.9.0.2", "10.9.0.4", "10.8.0.1", "10.7.0.1", "10.6.0.1", "10.5.0.1"]),
        JSON.stringify({ iputils: find("ping"), busybox }),
      ],
      { stdout: "pipe" },
    );
    const found = JSON.parse(await new Response(child.stdout).text());
    const pings = Object.fromEntries(
      ["iputils", "busybox"].flatMap((program) =>
        Object.entries(hosts).map(([host, code]) => [`${program} ${host}`, code]),
      ),
    );
    // BusyBox does not print what routers answer.
    expect(found).toEqual({
      ...pings,
      "iputils 10.5.0.1": "unreachable_host",
      "busybox 10.5.0.1": "ping_lost",
      "tcp 10.9.0.2": "refused",
      "tcp 10.9.0.4": "unreachable_host",
      "tcp 10.8.0.1": "unreachable_network",
      "tcp 10.7.0.1": "unreachable_network",
      "tcp 10.6.0.1": "unreachable_prohibited",
      "tcp 10.5.0.1": "unreachable_host",
    });
  });
});
