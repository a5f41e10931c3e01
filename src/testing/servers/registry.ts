import { gzipSync } from "node:zlib";
import type { Seen } from "./targets";
import { serveTarget } from "./targets";

type Event = { eventAction: string; eventDate: string };

/** The answer of a registry about a domain, as RFC 9083 shows it. */
export const domainObject = (
  name: string,
  { expires = "2027-03-01T12:00:00Z" as string | null, statuses = ["client transfer prohibited", "active"] } = {},
) => ({
  rdapConformance: ["rdap_level_0", "icann_rdap_technical_implementation_guide_0"],
  objectClassName: "domain",
  handle: "2336799_DOMAIN_COM-VRSN",
  ldhName: name.toUpperCase(),
  links: [{ value: `https://rdap.example/domain/${name}`, rel: "self", type: "application/rdap+json" }],
  status: statuses,
  entities: [
    { objectClassName: "entity", handle: "1", roles: ["abuse"], vcardArray: ["vcard", [["fn", {}, "text", "Abuse"]]] },
    {
      objectClassName: "entity",
      handle: "376",
      roles: ["registrar"],
      publicIds: [{ type: "IANA Registrar ID", identifier: "376" }],
      vcardArray: [
        "vcard",
        [
          ["version", {}, "text", "4.0"],
          ["fn", {}, "text", "Example Registrar, Inc."],
        ],
      ],
    },
  ],
  events: [
    { eventAction: "registration", eventDate: "1995-08-14T04:00:00Z" },
    ...(expires === null ? [] : [{ eventAction: "expiration", eventDate: expires }]),
    { eventAction: "last update of RDAP database", eventDate: "2026-01-15T12:19:00Z" },
  ] satisfies Event[],
  secureDNS: { delegationSigned: true },
});

const RDAP = { "content-type": "application/rdap+json" };
const NOT_FOUND = { errorCode: 404, title: "Not Found", description: ["The domain was not found."] };

/** A registry of `.example` and `.uk` on loopback, with the list that names it. It stops after the test. */
export const serveRegistry = () => {
  const answers = new Map<string, unknown>();
  const world = {
    /** Replaces the answer about domains. */
    respond: null as ((seen: Seen) => Response | Promise<Response>) | null,
    list: null as unknown,
    isListBroken: false,
  };
  const server = serveTarget((_, seen) => {
    if (seen.path === "/dns.json") {
      if (world.isListBroken) return new Response("<html>", { status: 500 });
      const usual = [[["example", "uk", "xn--fiqs8s"], [`${server.origin}/rdap`]]];
      return Response.json(world.list ?? { version: "1.0", publication: "2026-01-01T00:00:00Z", services: usual });
    }
    if (world.respond) return world.respond(seen);
    const answer = answers.get(seen.path.replace("/rdap/domain/", ""));
    const body = Buffer.from(JSON.stringify(answer ?? NOT_FOUND));
    const headers = { ...RDAP, "content-encoding": "gzip" };
    return new Response(gzipSync(body), { status: answer ? 200 : 404, headers });
  });
  return {
    ...server,
    bootstrap: `${server.origin}/dns.json`,
    world,
    set: (name: string, answer: unknown = domainObject(name)) => answers.set(name, answer),
    drop: (name: string) => answers.delete(name),
    /** The names that were asked for, in order. */
    asked: () => server.requests.flatMap(({ path }) => /domain\/(.*)/.exec(path)?.[1] ?? []),
    lists: () => server.requests.filter(({ path }) => path === "/dns.json").length,
  };
};
