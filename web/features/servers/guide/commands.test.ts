import { expect, test } from "bun:test";
import { isLocal } from "../../../../src/shared/agents/install-command";
import {
  downloadAddress,
  downloadCommand,
  installCommand,
  renameCommand,
  serviceUnit,
  startCommand,
  type Target,
  tokenCommand,
} from "./commands";

const linux: Target = {
  ...{ server: "https://watch.example.com", token: "T0ken" },
  ...{ system: "linux", architecture: "arm64", agent: "executable" },
};
const darwin: Target = { ...linux, system: "darwin" };
const light: Target = { ...linux, agent: "light" };
const windows: Target = { ...linux, system: "windows", architecture: "amd64" };

test("each system and architecture has a download of its own", () => {
  expect([linux, darwin, windows].map((target) => downloadAddress(target))).toEqual([
    "https://watch.example.com/downloads/wakeful-linux-arm64",
    "https://watch.example.com/downloads/wakeful-darwin-arm64",
    "https://watch.example.com/downloads/wakeful-windows-amd64.exe",
  ]);
});

test("the download command and the rename command both produce ./wakeful, and Windows has neither", () => {
  expect(downloadCommand(darwin)).toBe(
    "curl -fL -o wakeful https://watch.example.com/downloads/wakeful-darwin-arm64 && chmod +x wakeful",
  );
  expect(renameCommand(darwin)).toBe("mv wakeful-darwin-arm64 wakeful && chmod +x wakeful");
  expect([downloadCommand(windows), renameCommand(windows)]).toEqual([null, null]);
});

test("the start command passes the server and the interval as options and the token on standard input", () => {
  const args = "agent start --server https://watch.example.com --token-file - --interval 60";
  expect(startCommand(linux)).toBe(`echo T0ken | ./wakeful ${args}`);
  expect(startCommand(windows)).toBe(`"T0ken" | .\\wakeful-windows-amd64.exe ${args}`);
});

test("the install command for Linux names the server and the program's checksum, and passes the token on standard input", () => {
  const script = `echo T0ken | sh -c "$(curl --proto '=https' -fsSL https://watch.example.com/install.sh)" install.sh`;
  expect(installCommand(linux, { sums: ["abc", "def"], autoUpdate: false })).toBe(
    `${script} --server https://watch.example.com --sha256 abc --sha256 def --token-file -`,
  );
  expect(installCommand(linux, { sums: [], autoUpdate: false })).toBe(
    `${script} --server https://watch.example.com --token-file -`,
  );
  expect([installCommand(darwin, { sums: [], autoUpdate: false }), serviceUnit(windows)]).toEqual([null, null]);
});

test("the install command allows http only for a server address with http that is not local", () => {
  const command = (server: string) => installCommand({ ...linux, server }, { sums: [], autoUpdate: false });
  expect(command("http://192.168.1.5:8080")).toContain("--server http://192.168.1.5:8080 --allow-http");
  expect(command("http://localhost:8080")).not.toContain("--allow-http");
  expect(command("http://192.168.1.5:8080")).toContain("$(curl -fsSL http://192.168.1.5:8080/install.sh)");
});

test("the systemd unit reports every five minutes and reads the token from a file", () => {
  expect(serviceUnit(linux)).toContain("agent start --server https://watch.example.com --interval 300\n");
  expect(serviceUnit(linux)).toContain("EnvironmentFile=-/etc/wakeful-agent.env\n");
  expect(serviceUnit(linux)).not.toContain("T0ken");
  expect(tokenCommand(linux)).toBe("(umask 077; echo WAKEFUL_TOKEN=T0ken >/etc/wakeful-agent.env)");
});

test("loopback addresses count as local", () => {
  expect(["http://localhost:8080", "http://127.0.0.1/x", "http://[::1]:80"].map(isLocal)).toEqual([true, true, true]);
  expect(["https://localhost.example.com", "http://192.168.1.5:8080"].map(isLocal)).toEqual([false, false]);
});

test("the light agent is installed with --light and its checksum", () => {
  const script = `echo T0ken | sh -c "$(curl --proto '=https' -fsSL https://watch.example.com/install.sh)" install.sh`;
  const options = { sums: ["abc"], autoUpdate: true };
  expect(installCommand(light, options)).toBe(
    `${script} --server https://watch.example.com --sha256 abc --light --token-file -`,
  );
  expect(downloadCommand(light)).toBe("curl -fL -o agent.sh https://watch.example.com/agent.sh");
  expect(startCommand(light)).toBe(
    "echo T0ken | sh agent.sh start --server https://watch.example.com --token-file - --interval 60",
  );
  expect([renameCommand(light), serviceUnit(light)]).toEqual([null, null]);
});

test("the executable is updated each day on request only", () => {
  expect(installCommand(linux, { sums: ["abc"], autoUpdate: true })).toContain(
    "--sha256 abc --auto-update --token-file -",
  );
});

test("systems with musl have a download of their own", () => {
  expect(downloadAddress(linux, true)).toBe("https://watch.example.com/downloads/wakeful-linux-arm64-musl");
});
