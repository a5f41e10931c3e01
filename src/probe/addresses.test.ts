import { expect, it } from "bun:test";
import { createAddressGuard, isPublicAddress } from "./addresses";

const PRIVATE = `
  0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.254
  169.254.0.1 169.254.169.254 172.16.0.0 172.31.255.255 192.0.0.1 192.0.2.1 192.168.0.1 192.168.255.255
  198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
  :: ::1 0:0:0:0:0:0:0:1 fc00::1 fdff:ffff::1 fe80::1 fe80::1%eth0 febf::1 fec0::1 ff02::1 2001:db8::1 100::1
  ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::FFFF:169.254.169.254 ::ffff:7f00:1 0:0:0:0:0:ffff:c0a8:101
  192.88.99.1 168.63.129.16 ::ffff:168.63.129.16 64:ff9b::a83f:8110 161.26.0.10 166.9.1.1
  ::ffff:0:127.0.0.1 ::ffff:0:8.8.8.8 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:20::1 5f00::1 3fff::1 3fff:fff::1
  100:0:0:1::1 4000::1 1fff::1 ::2 ::8.8.8.8
  192.31.196.1 192.52.193.1 192.175.48.1 2620:4f:8000::1 ::8.8.8.8%eth0 ::1.1.1.1 0::8.8.8.8 64:ff9b:1::8.8.8.8
  ::127.0.0.1 ::10.0.0.1 64:ff9b::10.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1:: 2002:a00:1::1 2002:c0a8:101::
`;

const PUBLIC = `
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 169.253.255.255
  169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.1 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
  192.88.98.255 192.88.100.0 168.63.129.15 168.63.129.17 2001:200::1 3ffe::1
  2606:4700:4700::1111 2a00:1450:4001:81b::200e 2001:4860:4860::8888
  ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808::1
`;

const words = (text: string) => text.trim().split(/\s+/);

it("rejects addresses outside the public internet, also inside an IPv6 address", () => {
  expect(words(PRIVATE).filter(isPublicAddress)).toEqual([]);
});

it("accepts public addresses up to the edges of the special ranges", () => {
  expect(words(PUBLIC).filter((address) => !isPublicAddress(address))).toEqual([]);
});

it("rejects text that is not an address", () => {
  for (const text of [
    "",
    "localhost",
    "1.2.3",
    "1.2.3.4.5",
    "256.1.1.1",
    "8.8.8.8/24",
    "gg::1",
    "[::1]",
    " 8.8.8.8",
    "010.8.8.8",
    "0x8.8.8.8",
    "8.8.2056",
  ]) {
    expect(isPublicAddress(text)).toBe(false);
  }
});

it("rejects this machine's own public addresses in every spelling, and follows their changes", () => {
  let time = 0;
  const entry = (address: string) => ({ address }) as never;
  let own = { eth0: [entry("8.8.8.8"), entry("2606:4700:0:0::1")], wg0: [entry("10.0.0.1")] };
  const mayUserReach = createAddressGuard(
    () => own,
    () => time,
  );
  const spellings = [
    "8.8.8.8",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2002:808:808::1",
    "2606:4700::1",
    "2606:4700:0::1",
  ];
  expect(spellings.filter(mayUserReach)).toEqual([]);
  expect(["8.8.4.4", "2606:4700::2"].filter(mayUserReach)).toHaveLength(2);
  own = { eth0: [entry("8.8.4.4")], wg0: [] };
  time = 10_000;
  expect(["8.8.8.8", "8.8.4.4"].map(mayUserReach)).toEqual([true, false]);
});
