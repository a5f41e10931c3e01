/**
 * Three network namespaces in a row: the hub's, which is this process's own, a router, and the world of targets. They exist
 * as long as the processes in them, which end with the process namespace that run.ts begins.
 */
import { writeFileSync } from "node:fs";
import { readlink } from "node:fs/promises";
import { join } from "node:path";
import { until } from "../smoke/lib/until";

export const HUB = "10.77.0.2";
const ROUTER = "10.77.0.1";
const [NEAR, FAR] = ["10.79.0.1", "10.79.0.2"];
const WORLD = "10.78.0.0/16";

/** The address of a target: each number is a network of its own. */
export const addressOf = (number: number): string => `10.78.${number}.1`;
/** The name server of the hub. */
export const NAME_SERVER = addressOf(253);

/** How a router stops the packets to an address, or to all. */
export type Barrier = "blackhole" | "unreachable" | "prohibit";

const run = (command: string[]): void => {
  const { success, stderr } = Bun.spawnSync(command, { stdout: "ignore", stderr: "pipe" });
  if (!success) throw new Error(`${command.join(" ")}: ${stderr}`);
};

/** Starts a process in a network namespace of its own, which keeps the namespace. */
const openNamespace = async () => {
  const keeper = Bun.spawn(["unshare", "--net", "sleep", "infinity"], { stdin: "ignore" });
  const own = await readlink("/proc/self/ns/net");
  await until("a network namespace", async () => {
    const link = await readlink(`/proc/${keeper.pid}/ns/net`).catch(() => own);
    return link !== own;
  });
  const enter = ["nsenter", "--target", String(keeper.pid), "--net"];
  return {
    enter,
    pid: String(keeper.pid),
    sh: (script: string) => run([...enter, "sh", "-ec", script]),
    ip: (words: string) => run([...enter, "ip", ...words.split(" ")]),
  };
};

/** Opens the namespaces. Names are resolved by the world's name server from then on. `count`: addresses of targets. */
export const openNetwork = async (folder: string, count: number) => {
  const ip = (words: string) => run(["ip", ...words.split(" ")]);
  const [router, world] = [await openNamespace(), await openNamespace()];
  ip("link set lo up");
  ip("link add hub0 type veth peer name hub1");
  ip("link add world0 type veth peer name world1");
  ip(`link set hub1 netns ${router.pid}`);
  ip(`link set world1 netns ${router.pid}`);
  ip(`link set world0 netns ${world.pid}`);
  ip(`addr add ${HUB}/24 dev hub0`);
  ip("link set hub0 up");
  ip(`route add default via ${ROUTER}`);
  router.ip(`addr add ${ROUTER}/24 dev hub1`);
  router.ip(`addr add ${NEAR}/24 dev world1`);
  for (const link of ["lo", "hub1", "world1"]) router.ip(`link set ${link} up`);
  router.ip(`route add ${WORLD} via ${FAR}`);
  router.sh("cd /proc/sys/net/ipv4; echo 1 >ip_forward; echo 0 >icmp_ratelimit");
  world.ip(`addr add ${FAR}/24 dev world0`);
  for (const link of ["lo", "world0"]) world.ip(`link set ${link} up`);
  world.ip(`route add default via ${NEAR}`);
  const numbers = [...Array(count).keys(), 252];
  world.sh(numbers.map((number) => `ip addr add ${addressOf(number + 1)}/32 dev lo`).join("\n"));
  const file = join(folder, "resolv.conf");
  writeFileSync(file, `nameserver ${NAME_SERVER}\n`);
  run(["mount", "--bind", file, "/etc/resolv.conf"]);
  return {
    /** Words that run a command in the world. */
    inWorld: world.enter,
    /** Cuts the hub off: the router drops its packets, or says that it has no route. */
    cut: (how: "silent" | "unreachable") => {
      if (how === "silent") router.sh("echo 0 >/proc/sys/net/ipv4/ip_forward");
      else router.ip(`route replace unreachable ${WORLD}`);
    },
    mend: () => {
      router.ip(`route replace ${WORLD} via ${FAR}`);
      router.sh("echo 1 >/proc/sys/net/ipv4/ip_forward");
    },
    /** Stops the packets to an address. */
    block: (address: string, how: Barrier) => router.ip(`route replace ${how} ${address}/32`),
    unblock: (address: string, how: Barrier) => router.ip(`route del ${how} ${address}/32`),
  };
};

export type Network = Awaited<ReturnType<typeof openNetwork>>;
