import { expect, it } from "bun:test";
import { createServer } from "node:net";
import { createLog } from "../../../../core/log";
import { createSystemDns } from "../../../../probe/dns/system-dns";
import { createOutbound } from "../../../../probe/outbound";
import { createTestClock, until } from "../../../../testing/clock";
import { QUESTION, replyTo, serveNames, wireRecord } from "../../../../testing/servers/name-server";
import { closedPort } from "../../../../testing/servers/raw";
import { type ChannelHost, createWitnesses, gatewayIn } from "./witnesses";

const log = createLog("silent", false, () => {});
const [NAME_ERROR, SERVER_FAILURE] = [3, 2];

const setUp = async ({
  answer = { code: NAME_ERROR } as Parameters<typeof replyTo>[1] | null,
  gateway = "127.0.0.1" as string | null,
  gatewayPort = 1,
  hosts = [] as ChannelHost[],
} = {}) => {
  const world = { answer, gateway };
  const names = await serveNames((query) => world.answer && replyTo(query, world.answer));
  const clock = createTestClock();
  const outbound = createOutbound({ clock, log }, createSystemDns(), {
    nameServers: () => [`127.0.0.1:${names.port}`],
  });
  const witnesses = createWitnesses(
    { clock, log, outbound, channelHosts: async () => hosts },
    { gateway: async () => world.gateway, gatewayPort },
  );
  return { world, clock, names, ...witnesses };
};

it("the gateway answers if it accepts a connection or refuses it, and is silent if it did so before", async () => {
  const { ask, world } = await setUp({ gatewayPort: await closedPort() });
  expect((await ask()).gateway).toBe("answers");
  world.gateway = null;
  expect((await ask()).gateway).toBe("silent");
});

it("a gateway that never answered is unknown", async () => {
  const { ask } = await setUp({ gateway: null });
  expect((await ask()).gateway).toBe("unknown");
});

it("name servers answer if they say that a new name does not exist", async () => {
  const { ask, world } = await setUp();
  expect((await ask()).nameServers).toBe("answers");
  world.answer = { code: SERVER_FAILURE };
  expect((await ask()).nameServers).toBe("silent");
});

it("a name server that lies, and has an address for every name, does not count as one that answers", async () => {
  const lie = { answers: [wireRecord(QUESTION, 1, Buffer.from([10, 0, 0, 1]))] };
  const { ask, world } = await setUp();
  expect((await ask()).nameServers).toBe("answers");
  world.answer = lie;
  expect((await ask()).nameServers).toBe("silent");
  const liar = await setUp({ answer: lie });
  expect((await liar.ask()).nameServers).toBe("unknown");
});

it("hosts of channels on this machine or its link say nothing, and one that can't be reached is silent", async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const host = { port, secure: false, allowPrivate: true };
  const own = await setUp({ hosts: [{ ...host, hostname: "127.0.0.1" }] });
  expect((await own.ask()).channels).toBe("unknown");
  const elsewhere = await setUp({ hosts: [{ ...host, hostname: "240.0.0.1" }] });
  expect((await elsewhere.ask()).channels).toBe("silent");
  const none = await setUp();
  expect((await none.ask()).channels).toBe("unknown");
  server.close();
});

it("what answers is learned at the start and once an hour", async () => {
  const { learn, names, clock, ask, world } = await setUp();
  learn();
  learn();
  await until(() => names.asked.length === 1, "the first query");
  await clock.advance(3_599_000);
  learn();
  await clock.advance(1000);
  learn();
  await until(() => names.asked.length === 2, "the second query");
  world.answer = { code: SERVER_FAILURE };
  expect((await ask()).nameServers).toBe("silent");
});

it("the default gateway of the smallest metric is read from the routing table of Linux", () => {
  const table = `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
wlan0	00000000	0101A8C0	0003	0	0	600	00000000	0	0	0
eth0	00000000	0101000A	0003	0	0	100	00000000	0	0	0
eth1	00000000	09090909	0002	0	0	1	00000000	0	0	0
eth0	0001000A	00000000	0001	0	0	100	00FFFFFF	0	0	0
`;
  expect(gatewayIn(table)).toBe("10.0.1.1");
  expect(gatewayIn(table.split("\n")[0] ?? "")).toBeNull();
  expect(gatewayIn("")).toBeNull();
});
