import { expect, test } from "bun:test";
import {
  downloadAddress,
  downloadCommand,
  installCommand,
  isLocal,
  renameCommand,
  serviceUnit,
  startCommand,
  type Target,
} from "./commands";

const linux: Target = { server: "https://watch.example.com", token: "T0ken", system: "linux", architecture: "arm64" };
const darwin: Target = { ...linux, system: "darwin" };
const windows: Target = { ...linux, system: "windows", architecture: "amd64" };

test("each system and architecture has its file", () => {
  expect([linux, darwin, windows].map(downloadAddress)).toEqual([
    "https://watch.example.com/downloads/wakeful-linux-arm64",
    "https://watch.example.com/downloads/wakeful-darwin-arm64",
    "https://watch.example.com/downloads/wakeful-windows-amd64.exe",
  ]);
});

test("where there is curl, it leaves the program as ./wakeful; so does renaming what the link brought", () => {
  expect(downloadCommand(darwin)).toBe(
    "curl -fL -o wakeful https://watch.example.com/downloads/wakeful-darwin-arm64 && chmod +x wakeful",
  );
  expect(renameCommand(darwin)).toBe("mv wakeful-darwin-arm64 wakeful && chmod +x wakeful");
  expect([downloadCommand(windows), renameCommand(windows)]).toEqual([null, null]);
});

test("the agent is started with server, token and a minute's interval", () => {
  const words = "agent start --server https://watch.example.com --token T0ken --interval 60";
  expect(startCommand(linux)).toBe(`./wakeful ${words}`);
  expect(startCommand(windows)).toBe(`.\\wakeful-windows-amd64.exe ${words}`);
});

test("Linux can have it all in one line, or as a service that reports every five minutes", () => {
  expect(installCommand(linux)).toBe("curl -fsSL https://watch.example.com/install.sh | sh -s -- --token T0ken");
  expect(serviceUnit(linux)).toContain("--token T0ken --interval 300\n");
  expect([installCommand(darwin), serviceUnit(windows)]).toEqual([null, null]);
});

test("an address that no other machine can reach is known as such", () => {
  expect(["http://localhost:8080", "http://127.0.0.1/x", "http://[::1]:80"].map(isLocal)).toEqual([true, true, true]);
  expect(["https://localhost.example.com", "http://192.168.1.5:8080"].map(isLocal)).toEqual([false, false]);
});
