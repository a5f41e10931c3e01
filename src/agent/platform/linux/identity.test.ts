import { expect, it } from "bun:test";
import { parseLoad, parseOsRelease, parseUptime } from "./identity";

it("uses the display name of /etc/os-release", () => {
  expect(parseOsRelease('NAME="Debian GNU/Linux"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n')).toBe(
    "Debian GNU/Linux 12 (bookworm)",
  );
  expect(parseOsRelease("NAME=Alpine\nPRETTY_NAME='Alpine Linux v3.22'\n")).toBe("Alpine Linux v3.22");
  expect(parseOsRelease("NAME=Void\n")).toBe("Void");
  expect(parseOsRelease('PRETTY_NAME="Some \\"quoted\\" \\$ystem"\n')).toBe('Some "quoted" $ystem');
  expect(parseOsRelease("")).toBeNull();
});

it("parses uptime and load, or omits them", () => {
  expect(parseUptime("4363.69 8531.02\n")).toBe(4363.69);
  expect(parseUptime("")).toBeUndefined();
  expect(parseLoad("0.52 1.20 3.40 2/345 6789\n")).toEqual([0.52, 1.2, 3.4]);
  expect(parseLoad("")).toBeUndefined();
});
