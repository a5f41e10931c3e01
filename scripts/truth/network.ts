/**
 * Three network namespaces in a row: the hub's, which is this process's own, a router, and the world of targets. A second
 * instance of the hub has a fourth, at another side of the router, and a link to the first one. They exist as long as the
 * processes in them, which end with the process namespace that run.ts begins.
 */
import { writeFileSync } from "node:fs";
import { readlink } from "node:fs/promises";
import { join } from "node:path";
import { until } from "../smoke/lib/until";

/** The addresses of the instances of the hub, and of the router beside them. */
export const HUBS = ["10.77.0.2", "10.76.0.2"] as const;
const ROUTERS = ["10.77.0.1", "10.76.0.1"] as const;
/** The links of the router to them. */
const LINKS = ["hub1", "second1"] as const;
/** The addresses of the instances on the link between them. */
export const BESIDE = ["10.75.0.1", "10.75.0.2"] as const;
const [NEAR, FAR] = ["10.79.0.1", "10.79.0.2"];
const WORLD = "10.78.0.0/16";

/** The address of a target. Each number is a network of its own, with several addresses. */
export const addressOf = (number: number, one = 1): string => `10.78.${number}.${one}`;
/** The name server of the hub. */
export const NAME_SERVER = addressOf(253);

/** How a router stops the packets to an address, or to all. */
export type Barrier = "blackhole" | "unreachable" | "prohibit";

export type Cut = "silent" | "unreachable" | "unplugged";

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

/** Opens the network of the second instance. */
const openSecond = async (router: Awaited<ReturnType<typeof openNamespace>>, ip: (words: string) => void) => {
  const second = await openNamespace();
  ip("link add second0 type veth peer name second1");
  ip("link add beside0 type veth peer name beside1");
  ip(`link set second1 netns ${router.pid}`);
  for (const link of ["second0", "beside1"]) ip(`link set ${link} netns ${second.pid}`);
  ip(`addr add ${BESIDE[0]}/24 dev beside0`);
  ip("link set beside0 up");
  router.ip(`addr add ${ROUTERS[1]}/24 dev second1`);
  router.ip("link set second1 up");
  second.ip(`addr add ${HUBS[1]}/24 dev second0`);
  second.ip(`addr add ${BESIDE[1]}/24 dev beside1`);
  for (const link of ["lo", "second0", "beside1"]) second.ip(`link set ${link} up`);
  second.ip(`route add default via ${ROUTERS[1]}`);
  return second.enter;
};

/** Opens the namespaces. Names are resolved by the world's name server from then on. */
export const openNetwork = async (folder: string, addresses: readonly string[], hasSecond: boolean) => {
  const ip = (words: string) => run(["ip", ...words.split(" ")]);
  const [router, world] = [await openNamespace(), await openNamespace()];
  ip("link set lo up");
  ip("link add hub0 type veth peer name hub1");
  ip("link add world0 type veth peer name world1");
  ip(`link set hub1 netns ${router.pid}`);
  ip(`link set world1 netns ${router.pid}`);
  ip(`link set world0 netns ${world.pid}`);
  ip(`addr add ${HUBS[0]}/24 dev hub0`);
  ip("link set hub0 up");
  ip(`route add default via ${ROUTERS[0]}`);
  router.ip(`addr add ${ROUTERS[0]}/24 dev hub1`);
  router.ip(`addr add ${NEAR}/24 dev world1`);
  for (const link of ["lo", "hub1", "world1"]) router.ip(`link set ${link} up`);
  router.ip(`route add ${WORLD} via ${FAR}`);
  router.sh("cd /proc/sys/net/ipv4; echo 1 >ip_forward; echo 0 >icmp_ratelimit");
  world.ip(`addr add ${FAR}/24 dev world0`);
  for (const link of ["lo", "world0"]) world.ip(`link set ${link} up`);
  world.ip(`route add default via ${NEAR}`);
  const own = [...new Set([...addresses, NAME_SERVER])];
  world.sh(own.map((address) => `ip addr add ${address}/32 dev lo`).join("\n"));
  const file = join(folder, "resolv.conf");
  writeFileSync(file, `nameserver ${NAME_SERVER}\n`);
  run(["mount", "--bind", file, "/etc/resolv.conf"]);
  const inSecond = hasSecond ? await openSecond(router, ip) : [];
  /** Rules of the router against the packets of an instance, in both directions. */
  const rules = (what: "add" | "del", how: "blackhole" | "unreachable", instance: number) => {
    router.ip(`rule ${what} from ${HUBS[instance]} ${how}`);
    router.ip(`rule ${what} to ${HUBS[instance]} iif world1 ${how}`);
  };
  return {
    /** Words that run a command in the world, or beside the second instance. */
    inWorld: world.enter,
    inSecond,
    /** Cuts an instance off: the router drops its packets, says that it has no route, or is not there. */
    cut: (how: Cut, instance: number) => {
      if (how === "unplugged") router.ip(`link set ${LINKS[instance]} down`);
      else rules("add", how === "silent" ? "blackhole" : how, instance);
    },
    mend: (how: Cut, instance: number) => {
      if (how === "unplugged") router.ip(`link set ${LINKS[instance]} up`);
      else rules("del", how === "silent" ? "blackhole" : how, instance);
    },
    /** Stops the packets to an address. */
    block: (address: string, how: Barrier) => router.ip(`route replace ${how} ${address}/32`),
    unblock: (address: string, how: Barrier) => router.ip(`route del ${how} ${address}/32`),
  };
};

export type Network = Awaited<ReturnType<typeof openNetwork>>;
