import { describe, expect, it } from "bun:test";
import { createLog } from "../../core/log";
import { DAY, HOUR, MINUTE } from "../../shared/limits";
import { createTestClock, START } from "../../testing/clock";
import { createRandom, seeds } from "../../testing/random";
import { closedPort } from "../../testing/servers/raw";
import { domainObject, serveRegistry } from "../../testing/servers/registry";
import { serveTarget } from "../../testing/servers/targets";
import { createOutbound } from "../outbound";
import { readServices, serverFor } from "./bootstrap";
import { probeDomain } from "./probe";
import { createRdap } from "./rdap";
import { RegistryUnavailable } from "./request";

const setUp = ({ allowPrivate = true, bootstrap = "" } = {}) => {
  const registry = serveRegistry();
  const clock = createTestClock();
  const rdap = createRdap({ clock }, { bootstrap: bootstrap || registry.bootstrap, allowPrivate, spacing: 0 });
  const outbound = createOutbound({ clock, log: createLog("silent", false, () => {}) }, undefined, { rdap });
  const probe = (domain: string, timeout = 5) => probeDomain({ domain, timeout }, outbound);
  /** Why a registry has no answer. */
  const unavailable = async (domain: string, timeout?: number) => {
    const error = await probe(domain, timeout).then(
      () => null,
      (reason) => reason,
    );
    expect(error).toBeInstanceOf(RegistryUnavailable);
    return (error as RegistryUnavailable).reason;
  };
  return { registry, clock, probe, unavailable, outbound, ...registry };
};

describe("the registration of a domain", () => {
  it("is read as RFC 9083 shows it: registrar, dates and statuses", async () => {
    const { set, probe, requests } = setUp();
    set("shop.example");
    const found = await probe("shop.example");
    expect(found).toMatchObject({ up: true, error: null, certExpiresAt: Date.UTC(2027, 2, 1, 12) });
    expect(found.registration).toEqual({
      name: "shop.example",
      registrar: "Example Registrar, Inc.",
      registered_at: "1995-08-14T04:00:00.000Z",
      expires_at: "2027-03-01T12:00:00.000Z",
      statuses: ["client transfer prohibited", "active"],
      asked_at: "2026-01-15T12:20:00.000Z",
    });
    expect(requests.at(-1)?.headers.accept).toContain("application/rdap+json");
  });

  it("is found for names below the domain, of a country's second level and in other scripts", async () => {
    const { set, probe, asked } = setUp();
    for (const name of ["shop.example", "shop.co.uk", "xn--fsqu00a.xn--fiqs8s"]) set(name);
    const nameOf = async (domain: string) => (await probe(domain)).registration?.name;
    expect(await nameOf("www.shop.example")).toBe("shop.example");
    expect(await nameOf("www.shop.co.uk")).toBe("shop.co.uk");
    expect(await nameOf("例子.中国")).toBe("xn--fsqu00a.xn--fiqs8s");
    expect(asked()).toEqual(["shop.example", "shop.co.uk", "xn--fsqu00a.xn--fiqs8s"]);
    set("a.b.example");
    expect(await nameOf("www.a.b.example")).toBe("a.b.example");
  });

  it("that has expired, is deleted or does not exist is down; one without a date is up", async () => {
    const { set, probe } = setUp();
    set("old.example", domainObject("old.example", { expires: "2026-01-15T12:20:00Z" }));
    set("lost.example", domainObject("lost.example", { statuses: ["redemption period"] }));
    set("open.example", domainObject("open.example", { expires: null }));
    const errorOf = async (domain: string) => (await probe(domain)).error;
    expect(await errorOf("old.example")).toEqual({ code: "domain_expired", detail: null });
    expect(await errorOf("lost.example")).toEqual({ code: "domain_deleted", detail: { status: "redemption period" } });
    expect(await errorOf("free.example")).toEqual({ code: "domain_unregistered", detail: null });
    expect(await errorOf("a.nordap")).toEqual({ code: "domain_no_rdap", detail: { tld: "nordap" } });
    expect(await probe("open.example")).toMatchObject({ up: true, certExpiresAt: null });
  });
});

describe("a registry", () => {
  it("is asked once in six hours whatever the interval of checks is, and every two hours where a domain expires soon", async () => {
    const { set, probe, asked, clock } = setUp();
    set("shop.example");
    set("soon.example", domainObject("soon.example", { expires: "2026-02-01T00:00:00Z" }));
    for (let minute = 0; minute < 24 * 60; minute += 10) {
      clock.set(START + minute * MINUTE);
      for (const domain of ["shop.example", "soon.example"]) expect((await probe(domain)).up).toBe(true);
    }
    const counts = (name: string) => asked().filter((one) => one === name).length;
    expect(counts("shop.example")).toBeWithin(4, 6);
    expect(counts("soon.example")).toBeWithin(11, 15);
  });

  it("is asked once for checks at the same time, and has to confirm that a domain is not registered", async () => {
    const { set, drop, probe, asked } = setUp();
    set("shop.example");
    await Promise.all([probe("shop.example"), probe("shop.example"), probe("shop.example")]);
    expect(asked()).toHaveLength(1);
    drop("free.example");
    for (let turn = 0; turn < 4; turn++) expect((await probe("free.example")).up).toBe(false);
    expect(asked()).toEqual(["shop.example", "free.example", "free.example"]);
  });

  it("that wants fewer requests is left alone as long as it says, and its last answers stand", async () => {
    const { set, probe, unavailable, asked, clock, world } = setUp();
    set("shop.example");
    expect((await probe("shop.example")).up).toBe(true);
    clock.set(START + 7 * HOUR);
    world.respond = () => new Response(null, { status: 429, headers: { "retry-after": "3600" } });
    expect(await probe("shop.example")).toMatchObject({ up: true, responseTime: null });
    expect(await unavailable("new.example")).toBe("limited");
    expect(asked()).toHaveLength(2);
    clock.set(START + 8 * HOUR + 1);
    world.respond = null;
    set("new.example");
    expect((await probe("new.example")).up).toBe(true);
  });

  it("that is silent for more than a week has no answer that stands", async () => {
    const { set, probe, unavailable, clock, world } = setUp();
    set("shop.example");
    await probe("shop.example");
    world.respond = () => new Response(null, { status: 503 });
    clock.set(START + 6 * DAY);
    expect((await probe("shop.example")).up).toBe(true);
    clock.set(START + 8 * DAY);
    expect(await unavailable("shop.example")).toBe("silent");
  });

  it("that is slow is given up at the time limit of the monitor, and is asked for others", async () => {
    const { set, probe, unavailable, asked, world } = setUp();
    set("quick.example");
    world.respond = async ({ path }) => {
      if (path.includes("slow")) await Bun.sleep(60_000);
      return Response.json(domainObject("quick.example"), { headers: { "content-type": "application/rdap+json" } });
    };
    expect(await unavailable("slow.example", 0.2)).toBe("silent");
    expect(await unavailable("slow.example", 0.2)).toBe("silent");
    expect((await probe("quick.example")).up).toBe(true);
    expect(asked()).toEqual(["slow.example", "quick.example"]);
  });

  const json = (body: unknown, status = 200) => Response.json(body, { status });
  it.each([
    ["a page", () => new Response("<html>", { headers: { "content-type": "text/html" } })],
    ["a page that says 404", () => new Response("<html>", { status: 404, headers: { "content-type": "text/html" } })],
    ["half of an answer", () => new Response('{"objectClassName":"domain","ldhName":"shop')],
    ["two million bytes", () => new Response(`{"objectClassName":"domain","a":"${"x".repeat(2_000_000)}"}`)],
    ["a hundred thousand levels", () => new Response("[".repeat(100_000))],
    ["another domain", () => json(domainObject("other.example"))],
    ["another object", () => json({ ...domainObject("shop.example"), objectClassName: "nameserver" })],
    ["nothing", () => json(null)],
    ["a list", () => json([domainObject("shop.example")])],
    ["a refusal", () => json({ errorCode: 400 }, 400)],
    [
      "a redirect to another scheme",
      () => new Response(null, { status: 302, headers: { location: "file:///etc/passwd" } }),
    ],
    [
      "a redirect to itself",
      () => new Response(null, { status: 302, headers: { location: "/rdap/domain/shop.example" } }),
    ],
  ])("that answers %s has no answer, and is not asked about that domain for an hour", async (_, respond) => {
    const { set, probe, unavailable, asked, world, clock } = setUp();
    world.respond = respond;
    expect(await unavailable("shop.example")).toBe("wrong");
    const before = asked().length;
    expect(await unavailable("shop.example")).toBe("wrong");
    expect(asked()).toHaveLength(before);
    world.respond = null;
    set("shop.example");
    set("other.example");
    expect((await probe("other.example")).up).toBe(true);
    clock.set(START + HOUR + 1);
    expect((await probe("shop.example")).up).toBe(true);
  });

  it("may redirect to another server", async () => {
    const { probe, world } = setUp();
    const other = serveTarget(() => Response.json(domainObject("shop.example")));
    world.respond = () =>
      new Response(null, { status: 302, headers: { location: `${other.origin}/domain/shop.example` } });
    expect((await probe("shop.example")).up).toBe(true);
    expect(other.requests).toHaveLength(1);
  });

  it("on a private address is not asked", async () => {
    const { unavailable, requests } = setUp({ allowPrivate: false });
    expect(await unavailable("shop.example")).toBe("no_list");
    expect(requests).toEqual([]);
  });

  it("has at most twenty requests waiting, one after the other", async () => {
    const { probe, world, asked } = setUp();
    let running = 0;
    let most = 0;
    world.respond = async ({ path }) => {
      most = Math.max(most, ++running);
      await Bun.sleep(1);
      running--;
      return json(domainObject(path.split("/").at(-1) ?? ""));
    };
    await probe("first.example");
    const results = await Promise.allSettled(Array.from({ length: 40 }, (_, index) => probe(`n${index}.example`)));
    const refused = results.flatMap((one) => (one.status === "rejected" ? [one.reason.reason] : []));
    expect(refused).toEqual(Array(20).fill("busy"));
    expect([most, asked().length]).toEqual([1, 21]);
  });
});

describe("the list of registries", () => {
  it("is read once a day, and an old one stands for one that can't be read", async () => {
    const { set, probe, unavailable, lists, clock, world } = setUp();
    set("shop.example");
    for (const hours of [0, 7, 14, 21]) {
      clock.set(START + hours * HOUR);
      await probe("shop.example");
    }
    expect(lists()).toBe(1);
    world.isListBroken = true;
    for (const days of [2, 10, 20, 29]) {
      clock.set(START + days * DAY);
      expect((await probe("shop.example")).up).toBe(true);
    }
    expect(lists()).toBe(5);
    clock.set(START + 31 * DAY);
    expect((await probe("shop.example")).responseTime).toBeNull();
    clock.set(START + 60 * DAY);
    expect(await unavailable("shop.example")).toBe("no_list");
    expect(await unavailable("shop.example")).toBe("no_list");
    expect(lists()).toBe(7);
  });

  it("says which suffixes are supported, by the longest one, and nothing while it can't be read", async () => {
    const { outbound, world, origin } = setUp();
    const supports = (name: string) => outbound.rdap.supports(name, { outbound, signal: AbortSignal.timeout(5000) });
    world.list = {
      services: [
        [["example", 7], [`${origin}/short`]],
        [["deep.example"], ["ftp://a.example/", `${origin}/long/`]],
        [["insecure"], ["gopher://a.example/"]],
        "nonsense",
        [["UPPER"], [`${origin}/`]],
      ],
    };
    expect(await supports("a.example")).toBe(true);
    expect(await supports("a.deep.example")).toBe(true);
    expect(await supports("a.upper")).toBe(true);
    expect(await supports("a.insecure")).toBe(false);
    expect(await supports("a.other")).toBe(false);
    const unread = setUp({ bootstrap: `http://127.0.0.1:${await closedPort()}/` });
    expect(
      await unread.outbound.rdap.supports("a.example", { ...unread, signal: AbortSignal.timeout(5000) }),
    ).toBeNull();
  });

  it("leaves out servers without TLS, unless it is itself read without", () => {
    const list = { services: [[["example"], ["http://a.example/", "https://b.example/rdap"]]] };
    const serverOf = (schemes: string[]) => serverFor(readServices(list, schemes) ?? new Map(), "shop.example");
    expect([serverOf(["https:"]), serverOf(["https:", "http:"])]).toEqual([
      "https://b.example/rdap/",
      "http://a.example/",
    ]);
  });
});

it.each(seeds(5))("random answers never crash, and never say more than they know (seed %i)", async (seed) => {
  const { pick, below } = createRandom(seed);
  const { probe, world, clock } = setUp();
  const junk = () =>
    pick<unknown>([null, 1, "", [], {}, "x".repeat(5000), [[]], { eventAction: {} }, "\u202eevil\u0000"]);
  for (let turn = 0; turn < 60; turn++) {
    const answer: Record<string, unknown> = domainObject("shop.example");
    for (let change = 0; change < 3; change++) answer[pick(Object.keys(answer))] = junk();
    if (below(2) === 0) answer.events = [{ eventAction: "expiration", eventDate: junk() }, junk(), junk()];
    if (below(2) === 0)
      answer.entities = [junk(), { roles: ["registrar"], vcardArray: ["vcard", [junk(), ["fn", {}, "text", junk()]]] }];
    world.respond = () => Response.json(answer);
    clock.set(START + turn * DAY);
    const found = await probe("shop.example").catch((error) => {
      expect(error).toBeInstanceOf(RegistryUnavailable);
    });
    const registration = found?.registration;
    if (!registration) continue;
    expect(registration.name).toBe("shop.example");
    expect(registration.registrar ?? "").not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(JSON.stringify(registration).length).toBeLessThan(2500);
  }
});
