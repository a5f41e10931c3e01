import { describe, expect, it } from "bun:test";
import { LocalFailure } from "../local-failure";
import { type Answer, createResolver, LookupFailed, type SystemDns } from "./resolver";

const failing = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));
const found = (address: string, ttl = 60): Promise<Answer[]> => Promise.resolve([{ address, ttl }]);
const forever = () => new Promise<never>(() => {});
const USER = { key: "user", limit: 2, useLibc: false };
const ADMIN = { key: "admin", limit: 100, useLibc: true };

const setUp = (dns: Partial<SystemDns> = {}) => {
  const time = { now: 1_000_000 };
  const asked: string[] = [];
  const resolver = createResolver(
    {
      lookupByLibc: () => failing("ENOTFOUND"),
      isAnswering: async () => true,
      shortage: () => null,
      ...dns,
      lookup: (name) => {
        asked.push(name);
        return (dns.lookup ?? (() => found("192.0.2.1")))(name);
      },
    },
    () => time.now,
  );
  const resolve = (name: string, caller = ADMIN, signal = AbortSignal.timeout(20_000)) =>
    resolver.resolve(name, caller, signal);
  const reason = (name: string, caller = ADMIN, signal?: AbortSignal) =>
    resolve(name, caller, signal).then(
      (addresses) => addresses.join(),
      (error) =>
        error instanceof LocalFailure
          ? `local ${error.condition}`
          : error instanceof LookupFailed
            ? error.reason
            : error.name,
    );
  return { resolve, reason, asked, time, forget: resolver.forget };
};

describe("a DNS lookup", () => {
  it("is joined by identical ones in flight, and its answer is cached for its TTL, at most 30 seconds", async () => {
    const { resolve, asked, time } = setUp();
    await Promise.all([resolve("shop.example"), resolve("shop.example"), resolve("shop.example", USER)]);
    await resolve("shop.example");
    expect(asked).toEqual(["shop.example"]);
    time.now += 30_001;
    await resolve("shop.example");
    expect(asked).toHaveLength(2);
  });

  it("is made again for a name, or for all, whose answer is forgotten", async () => {
    const { resolve, asked, forget } = setUp();
    const names = ["shop.example", "nas"];
    const resolveAll = () => Promise.all(names.map((name) => resolve(name)));
    await resolveAll();
    forget("nas");
    await resolveAll();
    forget();
    await resolveAll();
    expect(asked).toEqual([...names, "nas", ...names]);
  });

  it("that fails is cached for one second if the name does not exist, and not at all without an answer, as in a cut", async () => {
    const codes: Record<string, string> = { "none.example": "DNS_ENOTFOUND", "silent.example": "DNS_ETIMEOUT" };
    const { reason, asked, time } = setUp({ lookup: (name) => failing(codes[name] ?? "") });
    const both = async () => [await reason("none.example"), await reason("silent.example")];
    expect([await both(), await both()]).toEqual(Array(2).fill(["no_name", "silent"]));
    expect(asked).toEqual(["none.example", "silent.example", "silent.example"]);
    time.now += 1001;
    await both();
    expect(asked).toHaveLength(5);
  });

  it("ends with its caller's abort signal while the name servers do not answer", async () => {
    const { reason } = setUp({ lookup: forever });
    expect(await reason("silent.example", ADMIN, AbortSignal.timeout(5))).toBe("TimeoutError");
  });

  it("of one user waits for that user's other lookups only", async () => {
    const held = Promise.withResolvers<Answer[]>();
    const { resolve, asked } = setUp({
      lookup: (name) => (name.startsWith("held") ? held.promise : found("192.0.2.1")),
    });
    const waiting = ["held1.example", "held2.example", "shop.example"].map((name) => resolve(name, USER));
    await resolve("shop2.example", { ...USER, key: "another" });
    expect(asked).toEqual(["held1.example", "held2.example", "shop2.example"]);
    held.resolve(await found("192.0.2.2"));
    await Promise.all(waiting);
    expect(asked.at(-1)).toBe("shop.example");
  });

  it("does not join a lookup that waits in another user's queue", async () => {
    const { resolve, reason } = setUp({
      lookup: (name) => (name.endsWith(".silent") ? forever() : found("192.0.2.1")),
    });
    const waiting = new AbortController();
    const others = ["a.silent", "b.silent", "shop.example"].map((name) => reason(name, USER, waiting.signal));
    expect(await resolve("shop.example")).toEqual(["192.0.2.1"]);
    waiting.abort();
    await Promise.all(others);
  });
});

describe("the C library", () => {
  it("resolves only local names that DNS does not have, one at a time", async () => {
    let [running, most] = [0, 0];
    const names: string[] = [];
    const { reason } = setUp({
      lookup: (name) => failing(name.startsWith("silent") ? "DNS_ETIMEOUT" : "DNS_ENOTFOUND"),
      lookupByLibc: async (name) => {
        names.push(name);
        most = Math.max(most, ++running);
        await Bun.sleep(1);
        running--;
        return found("10.0.0.7");
      },
    });
    const asked = ["nas", "printer.local", "nas2", "none.example", "silent.local"];
    expect(await Promise.all(asked.map((name) => reason(name)))).toEqual([
      ...Array(3).fill("10.0.0.7"),
      "no_name",
      "silent",
    ]);
    expect([names.toSorted(), most]).toEqual([["nas", "nas2", "printer.local"], 1]);
  });

  it("is not used for callers who may not reach private addresses", async () => {
    const { reason } = setUp({ lookup: () => failing("DNS_ENOTFOUND"), lookupByLibc: () => found("10.0.0.7") });
    expect(await reason("nas", USER)).toBe("no_name");
  });
});

describe("a name without an answer", () => {
  it("is a failure of the target while the name servers of this machine answer", async () => {
    const { reason } = setUp({ lookup: () => failing("DNS_ETIMEOUT") });
    expect(await reason("silent.example")).toBe("silent");
  });

  it("is a local failure while the name servers do not answer, refuse or can't be reached", async () => {
    for (const code of ["DNS_ETIMEOUT", "DNS_EREFUSED", "DNS_ECONNREFUSED", "DNS_ESERVFAIL"]) {
      const { reason } = setUp({ lookup: () => failing(code), isAnswering: async () => false });
      expect([code, await reason("shop.example")]).toEqual([code, "local resolver"]);
    }
  });

  it("has its own reason when it does not exist, has no address, or its name servers fail or refuse", async () => {
    const reasons = { ENOTFOUND: "no_name", ENODATA: "no_address", ESERVFAIL: "failed", EREFUSED: "refused" };
    for (const [code, found] of Object.entries(reasons)) {
      const { reason } = setUp({ lookup: () => failing(`DNS_${code}`) });
      expect([code, await reason("shop.example")]).toEqual([code, found]);
    }
  });

  it("is a failure of the target while the name servers answer for other names, although not for the root zone", async () => {
    const asked: (readonly string[])[] = [];
    const { reason, time } = setUp({
      lookup: (name) => (name.startsWith("broken") ? failing("DNS_ESERVFAIL") : found("10.0.0.7")),
      isAnswering: async (known) => {
        asked.push(known);
        return known.length > 0;
      },
    });
    expect(await reason("broken.corp")).toBe("local resolver");
    for (const name of ["a.one", "b.two", "c.three", "d.four", "e.four"]) await reason(name);
    time.now += 60_000;
    expect(await reason("broken.corp")).toBe("failed");
    time.now += 600_000;
    expect(await reason("broken.corp")).toBe("local resolver");
    expect(asked).toEqual([[], ["c.three", "d.four", "e.four"], []]);
  });

  it("is a local failure also when the timeout of the check ends first", async () => {
    const { reason } = setUp({ lookup: forever, isAnswering: async () => false });
    expect(await reason("shop.example", ADMIN, AbortSignal.timeout(5))).toBe("local resolver");
  });

  it("is a local failure when no file descriptor is left", async () => {
    const { reason } = setUp({ lookup: () => failing("DNS_ECONNREFUSED"), shortage: () => "descriptors" });
    expect(await reason("shop.example")).toBe("local descriptors");
  });

  it("probes the name servers once for all lookups, and not at all when another name was just resolved", async () => {
    let signs = 0;
    let silent = true;
    const { reason, time } = setUp({
      lookup: (name) => (silent || name.startsWith("silent") ? failing("DNS_ETIMEOUT") : found("192.0.2.1")),
      isAnswering: async () => {
        signs++;
        return false;
      },
    });
    await Promise.all(["a.example", "b.example", "c.example"].map((name) => reason(name)));
    expect(signs).toBe(1);
    silent = false;
    time.now += 10_000;
    await reason("shop.example");
    expect([await reason("silent.example"), signs]).toEqual(["silent", 1]);
  });

  it("is a local failure when several zones that used to resolve fail together and nothing else resolves", async () => {
    let cut = false;
    const { reason, time } = setUp({ lookup: () => (cut ? failing("DNS_ESERVFAIL") : found("192.0.2.1")) });
    const names = ["a.one.example", "b.two.test", "c.three.invalid"];
    for (const name of names) await reason(name);
    cut = true;
    time.now += 60_000;
    expect([await reason("never.resolved.test"), await reason("nor.this.test")]).toEqual(["failed", "failed"]);
    const reasons: string[] = [];
    for (const name of names) reasons.push(await reason(name));
    expect(reasons).toEqual(["failed", "failed", "local resolver"]);
  });
});
