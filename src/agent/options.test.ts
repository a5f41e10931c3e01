import { describe, expect, it } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../testing/agent-program";
import { defaultState, readOptions } from "./options";
import { FatalError } from "./state";

const read = (line: string, environment = {}) => readOptions(line.split(" ").filter(Boolean), environment);

it("reads each option from the command line, then from the environment", () => {
  const words =
    "--server http://a.example/base --token abc --interval 15 --state /s --name web --interfaces eth*,!eth1 --without traffic,interfaces --network-filesystems --containers=/run/docker.sock";
  const expected = {
    server: "http://a.example/base/",
    token: "abc",
    interval: 15,
    state: "/s",
    name: "web",
    selection: { interfaces: ["eth*", "!eth1"], networkFilesystems: true },
    engines: ["/run/docker.sock"],
    without: ["traffic", "interfaces"],
  };
  expect(read(words)).toEqual(expected);
  expect(read(words.replaceAll(/(--[a-z-]+) (?!--)/g, "$1="))).toEqual(expected);
  const environment = {
    WAKEFUL_SERVER: "http://a.example/base/",
    WAKEFUL_TOKEN: "abc",
    WAKEFUL_INTERVAL: "15",
    WAKEFUL_STATE: "/s",
    WAKEFUL_NAME: "web",
    WAKEFUL_INTERFACES: "eth*, !eth1",
    WAKEFUL_NETWORK_FILESYSTEMS: "1",
    WAKEFUL_CONTAINERS: "/run/docker.sock",
    WAKEFUL_WITHOUT: "traffic, interfaces",
  };
  expect(read("", environment)).toEqual(expected);
  expect(read("--interval 30", environment).interval).toBe(30);
});

it("has a default for every option except the server and the token", () => {
  expect(read("", { STATE_DIRECTORY: "/var/lib/x" })).toEqual({
    server: null,
    token: null,
    name: null,
    interval: 60,
    state: "/var/lib/x",
    selection: { interfaces: [], networkFilesystems: false },
    engines: [],
    without: [],
  });
});

describe("containers", () => {
  it("are read at the sockets of Docker or Podman unless an address is given", () => {
    const both = ["/var/run/docker.sock", "/run/podman/podman.sock"];
    expect(read("--containers --interval 5")).toMatchObject({ engines: both, interval: 5 });
    expect(read("", { WAKEFUL_CONTAINERS: "1" }).engines).toEqual(both);
    expect(read("", { WAKEFUL_CONTAINERS: "0" }).engines).toEqual([]);
    expect(read("--containers=0", { WAKEFUL_CONTAINERS: "1" }).engines).toEqual([]);
    expect(read("--containers=tcp://127.0.0.1:2375").engines).toEqual(["http://127.0.0.1:2375"]);
    for (const wrong of ["docker.sock/", "ftp://127.0.0.1", "http://", "C:\\x"])
      expect(() => read(`--containers=${wrong}`)).toThrow("--containers");
  });
});

it("names the figures that can be left out when one is unknown", () => {
  expect(() => read("--without traffic,dance")).toThrow('--without names no figure "dance"; there are cpu_parts, ');
  expect(read("--without=,").without).toEqual([]);
});

describe("a token in a file", () => {
  it("is read without the trailing line break", () => {
    const file = join(temporaryFolder(), "token");
    writeFileSync(file, "wkt_fromFile\n");
    expect(read(`--token-file ${file}`).token).toBe("wkt_fromFile");
    expect(read("", { WAKEFUL_TOKEN_FILE: file }).token).toBe("wkt_fromFile");
    expect(read(`--token-file ${file}`, { WAKEFUL_TOKEN: "other" }).token).toBe("wkt_fromFile");
    expect(read(`--token abc --token-file ${file}`).token).toBe("abc");
  });

  it("is named in the error when it is missing", () => {
    expect(() => read("--token-file /does/not/exist")).toThrow("--token-file: cannot read /does/not/exist (ENOENT)");
  });
});

it("names the wrong option without repeating the token", () => {
  const wrong: [line: string, message: RegExp][] = [
    ["--interval 0", /^--interval .* 1 to 86400, not "0"$/],
    ["--interval 86401", /--interval/],
    ["--interval 1.5", /--interval/],
    ["--interval", /--interval needs a value/],
    ["--server --token", /--server needs a value/],
    ["--server example.com", /--server .* http/],
    ["--server ftp://example.com", /--server .* http/],
    ["--server http://alice:secret@example.com", /--server may hold no user and password$/],
    ["--dance", /there is no option "--dance"/],
    ["start", /there is no option "start"/],
    ["--toString x", /there is no option/],
  ];
  for (const [line, message] of wrong) {
    expect(() => read(line)).toThrow(FatalError);
    expect(() => read(line)).toThrow(message);
  }
  expect(() => read("", { WAKEFUL_INTERVAL: "soon" })).toThrow("WAKEFUL_INTERVAL is a number");
  expect(() => readOptions(["--token", "se cret"], {})).toThrow(/^--token holds no token as the hub shows them$/);
});

it("uses the platform's directory for state by default", () => {
  const state = (platform: NodeJS.Platform, user: number, environment = {}) =>
    defaultState(environment, platform, user, "/home/alice");
  expect(state("linux", 0)).toBe("/var/lib/wakeful-agent");
  expect(state("linux", 1000)).toBe("/home/alice/.local/state/wakeful-agent");
  expect(state("linux", 1000, { XDG_STATE_HOME: "/x" })).toBe("/x/wakeful-agent");
  expect(state("linux", 1000, { STATE_DIRECTORY: "/var/lib/a:/var/lib/b" })).toBe("/var/lib/a");
  expect(state("darwin", 0)).toBe("/var/db/wakeful-agent");
  expect(state("darwin", 501)).toBe("/home/alice/Library/Application Support/wakeful-agent");
  expect(state("win32", 0, { PROGRAMDATA: "/ProgramData" })).toBe("/ProgramData/wakeful-agent");
});
