import { expect, it } from "bun:test";
import { selectAddresses } from "./addresses";

const at = (address: string, internal = false) => ({ address, internal });

it("lists the address with the default route first, without loopback and container addresses", () => {
  const interfaces = {
    lo: [at("127.0.0.1", true), at("::1", true)],
    eth1: [at("10.0.0.5"), at("fe80::2")],
    docker0: [at("172.17.0.1")],
    "br-0a1b": [at("172.18.0.1")],
    eth0: [at("198.51.100.7"), at("2001:db8::7"), at("fe80::1")],
  };
  expect(selectAddresses(interfaces, ["eth0"])).toEqual(["198.51.100.7", "2001:db8::7", "10.0.0.5"]);
});

it("keeps a bridge with a default route", () => {
  expect(selectAddresses({ virbr0: [at("10.1.1.1")], "br-lan": [at("10.2.2.2")] }, ["br-lan"])).toEqual(["10.2.2.2"]);
});

it("lists at most sixteen addresses", () => {
  const many = Array.from({ length: 40 }, (_, index) => at(`10.0.0.${index + 1}`));
  expect(selectAddresses({ eth0: many })).toHaveLength(16);
});
