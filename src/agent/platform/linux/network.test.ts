import { expect, it } from "bun:test";
import { parseDefaultRoutes, parseNetDev } from "./network";

it("parses the bytes of every interface from /proc/net/dev, also without a space after the colon", () => {
  const text = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 1234567    8901    0    0    0     0          0         0  1234567    8901    0    0    0     0       0          0
  eth0:98765432109876  123    0    0    0     0          0         0 5432109876    456    0    0    0     0       0          0
wlp3s0.100: 10 1 0 0 0 0 0 0 20 1 0 0 0 0 0 0
`;
  expect(parseNetDev(text)).toEqual({
    lo: { rx: 1_234_567, tx: 1_234_567 },
    eth0: { rx: 98_765_432_109_876, tx: 5_432_109_876 },
    "wlp3s0.100": { rx: 10, tx: 20 },
  });
  expect(parseNetDev("")).toEqual({});
});

it("finds the interfaces with a default route", () => {
  const route = `Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0
`;
  const zeros = "0".repeat(32);
  const ipv6 = `${zeros} 00 ${zeros} 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003     eth1
fd000000000000000000000000000000 40 ${zeros} 00 ${zeros} 00000100 00000001 00000000 00000001     eth2
${zeros} 00 ${zeros} 00 ${zeros} ffffffff 00000001 00000000 00200200       lo
`;
  expect(parseDefaultRoutes(route, ipv6)).toEqual(["eth0", "eth1"]);
  expect(parseDefaultRoutes("", "")).toEqual([]);
});
