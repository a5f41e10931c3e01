import { expect, it } from "bun:test";
import { platformName } from "./machine";

it("names the platform as downloads are named", () => {
  const maps = (library: string) => `7f1 r-xp 00000000 fe:00 1 /lib/${library}\n7f2 rw-p 00000000 00:00 0 [heap]\n`;
  expect(platformName("linux", "x64", maps("x86_64-linux-gnu/libc.so.6"))).toBe("linux-amd64");
  expect(platformName("linux", "arm64", maps("ld-musl-aarch64.so.1"))).toBe("linux-arm64-musl");
  expect(platformName("darwin", "arm64", "")).toBe("darwin-arm64");
  expect(platformName("win32", "x64", "")).toBe("windows-amd64");
});
