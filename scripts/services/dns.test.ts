import { expect, it } from "bun:test";
import { replyTo, serveNames } from "../../src/testing/servers/name-server";
import { freePort } from "../smoke/lib/free-port";
import { startProbing } from "./lib/probing";
import { type Plan, startService } from "./lib/service";

const ZONE = `$TTL 60
@ SOA ns1 admin 7 3600 600 86400 60
@ NS ns1
@ A 192.0.2.1
@ A 192.0.2.2
@ AAAA 2001:db8::1
@ MX 10 mail
@ TXT "v=spf1 " "-all"
@ CAA 0 issue "ca.example"
www CNAME shop.test.
_sip._tcp SRV 1 2 5060 sip
ns1 A 127.0.0.1
long TXT ${Array.from({ length: 8 }, () => `"${"x".repeat(250)}"`).join(" ")}
`;
const REVERSE =
  "$TTL 60\n@ SOA ns1.shop.test. admin.shop.test. 7 3600 600 86400 60\n@ NS ns1.shop.test.\n1 PTR shop.test.\n";

const bind: Plan = {
  program: "named",
  args: ({ folder }) => ["-f", "-n", "1", "-c", `${folder}/named.conf`],
  unprivileged: true,
  files: ({ folder, port }) => ({
    "named.conf": `options {
  directory "${folder}"; listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; dnssec-validation no; pid-file none; session-keyfile none; managed-keys-directory "${folder}";
};
controls {};
zone "shop.test" { type primary; file "zone"; };
zone "2.0.192.in-addr.arpa" { type primary; file "reverse"; };
zone "broken.test" { type primary; file "missing"; };
`,
    zone: ZONE,
    reverse: REVERSE,
  }),
};

const { codeOf } = await startProbing();

const service = await startService(bind);
const server = `127.0.0.1:${service.port}`;

const ask = (name: string, type: string, values?: string[], op = "equals") =>
  codeOf("dns", { name, type, server, ...(values && { expect: { op, values } }) });

it("records of each type that BIND serves are as expected", async () => {
  const records: [name: string, type: string, values: string[]][] = [
    ["shop.test", "A", ["192.0.2.2", "192.0.2.1"]],
    ["shop.test", "AAAA", ["2001:DB8:0::1"]],
    ["WWW.shop.test.", "CNAME", ["shop.test"]],
    ["shop.test", "MX", ["10 mail.shop.test."]],
    ["shop.test", "NS", ["NS1.shop.test"]],
    ["shop.test", "TXT", ["v=spf1 -all"]],
    ["_sip._tcp.shop.test", "SRV", ["sip.shop.test:5060"]],
    ["shop.test", "SOA", ["ns1.shop.test admin.shop.test 7 3600 600 86400 60"]],
    ["shop.test", "CAA", ["ca.example"]],
    ["192.0.2.1", "PTR", ["shop.test"]],
    // By an alias, and by TCP because it is too long for a datagram.
    ["www.shop.test", "A", ["192.0.2.1", "192.0.2.2"]],
    ["long.shop.test", "TXT", ["x".repeat(512)]],
  ];
  for (const [name, type, values] of records) {
    const op = name === "long.shop.test" ? undefined : values;
    expect([name, type, await ask(name, type, op)]).toEqual([name, type, "up"]);
  }
  expect(await ask("shop.test", "A", ["192.0.2.1"])).toBe("dns_mismatch");
  expect(await ask("shop.test", "A", ["192.0.2.1"], "contains")).toBe("up");
  expect(await ask("long.shop.test", "TXT", ["x"])).toBe("dns_mismatch");
});

it("a missing name, a missing record, a broken zone and a foreign one are told apart", async () => {
  expect(await ask("none.shop.test", "A")).toBe("dns_no_name");
  expect(await ask("www.shop.test", "MX")).toBe("up");
  expect(await ask("ns1.shop.test", "MX")).toBe("dns_no_record");
  expect(await ask("broken.test", "A")).toBe("dns_server_failed");
  expect(await ask("foreign.test", "A")).toBe("dns_refused");
});

it("a server that hangs is a timeout, and one that does not run is refused", async () => {
  service.pause();
  expect(await ask("shop.test", "A")).toBe("timeout");
  service.resume();
  expect(await ask("shop.test", "A")).toBe("up");
  expect(await codeOf("dns", { name: "shop.test", type: "A", server: `127.0.0.1:${freePort()}` })).toBe("refused");
});

it("records that dnsmasq serves are found, and its unknown names are refused", async () => {
  const dnsmasq = await startService({
    program: "dnsmasq",
    unprivileged: true,
    args: ({ folder, port }) => [
      "--keep-in-foreground",
      "--no-resolv",
      "--no-hosts",
      "--conf-file=/dev/null",
      `--pid-file=${folder}/pid`,
      `--port=${port}`,
      "--listen-address=127.0.0.1",
      "--bind-interfaces",
      "--host-record=nas.test,192.0.2.9",
      "--local=/test/",
    ],
  });
  const config = { name: "nas.test", type: "A", server: `127.0.0.1:${dnsmasq.port}` };
  expect(await codeOf("dns", { ...config, expect: { op: "any", values: ["192.0.2.9"] } })).toBe("up");
  expect(await codeOf("dns", { ...config, type: "MX" })).toBe("dns_no_record");
  expect(await codeOf("dns", { ...config, name: "none.test" })).toBe("dns_no_name");
  expect(await codeOf("dns", { ...config, name: "shop.example" })).toBe("dns_refused");
});

it("answers with another id are ignored", async () => {
  const other = await serveNames((query) => replyTo(query, { id: (query.readUInt16BE(0) + 1) % 65_536, code: 3 }));
  expect(await codeOf("dns", { name: "shop.test", type: "A", server: other.server }, 1)).toBe("timeout");
});
