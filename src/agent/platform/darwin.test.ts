import { expect, it } from "bun:test";
import { parseNetstat, parseSwapUsage, parseVmStat } from "./darwin";

const VM_STAT = `Mach Virtual Memory Statistics: (page size of 16384 bytes)
Pages free:                               12345.
Pages active:                            400000.
Pages inactive:                          390000.
Pages speculative:                         5000.
Pages throttled:                              0.
Pages wired down:                        150000.
Pages purgeable:                          20000.
"Translation faults":                 987654321.
File-backed pages:                       200000.
Anonymous pages:                         600000.
Pages stored in compressor:              300000.
Pages occupied by compressor:             90000.
`;

it("counts memory on macOS as Activity Monitor does", () => {
  const total = 16 * 1024 ** 3;
  expect(parseVmStat(VM_STAT, total)).toEqual({ total, used: (600_000 - 20_000 + 150_000 + 90_000) * 16_384 });
  expect(parseVmStat("", total)).toBeNull();
});

it("parses swap on macOS in any unit", () => {
  expect(parseSwapUsage("total = 2048.00M  used = 1024.25M  free = 1023.75M  (encrypted)\n")).toEqual({
    total: 2048 * 1024 ** 2,
    used: 1024.25 * 1024 ** 2,
  });
  expect(parseSwapUsage("total = 1,50G  used = 0,00K  free = 1,50G\n")).toEqual({ total: 1.5 * 1024 ** 3, used: 0 });
  expect(parseSwapUsage("")).toBeUndefined();
});

it("parses the link rows of netstat, also those without an address", () => {
  const text = `Name       Mtu   Network       Address            Ipkts Ierrs     Ibytes    Opkts Oerrs     Obytes  Coll
lo0        16384 <Link#1>                        57303     0   12345678    57303     0   12345678     0
lo0        16384 127           127.0.0.1         57303     -   12345678    57303     -   12345678     -
gif0*      1280  <Link#2>                            0     0          0        0     0          0     0
en0        1500  <Link#11>   aa:bb:cc:dd:ee:ff 9876543     0 9876543210  1234567     0  123456789     0
en0        1500  192.168.1     192.168.1.23    9876543     - 9876543210  1234567     -  123456789     -
`;
  expect(parseNetstat(text)).toEqual({
    lo0: { rx: 12_345_678, tx: 12_345_678 },
    gif0: { rx: 0, tx: 0 },
    en0: { rx: 9_876_543_210, tx: 123_456_789 },
  });
});
