import { describe, expect, it, onTestFinished } from "bun:test";
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import {
  addTool,
  at,
  calls,
  enrolled,
  PROGRAM,
  prepareMachine,
  REPORTS,
  read,
  runIn,
  serveDownloads,
  setServerStatus,
  sha256,
  shells,
  TOKEN,
} from "../../../testing/installer";
import { serveTarget } from "../../../testing/servers/targets";

prepareMachine();

describe("installing", () => {
  const dash = () => shells.dash!();

  it("requires a token, and names the bad argument", async () => {
    const { origin, requests } = serveDownloads();
    const wrong: [words: string[], message: string][] = [
      [[], "a token is needed"],
      [["--server", "ftp://a"], "--server is the hub's address"],
      [["--server", "https://a/$(reboot)"], "--server holds a character"],
      [["--server", 'https://a"b'], "--server holds a character"],
      [["--sha256", "abc"], "--sha256 holds no checksum"],
      [["--token-file", "/does/not/exist"], "--token-file: cannot read /does/not/exist"],
      [["--token"], "--token needs a value"],
      [["--token", "a'b"], "this is no token"],
      [["--token", TOKEN, "--interval", "0"], "from 1 to 86400"],
      [["--token", TOKEN, "--interval", "86401"], "from 1 to 86400"],
      [["--token", TOKEN, "--interval", "5m"], "from 1 to 86400"],
      [["--token", TOKEN, "--name", "a$(reboot)"], "--name may hold no"],
      [["--token", TOKEN, "--name", "a\nb"], "--name may hold no"],
      [["--dance"], "no option --dance"],
    ];
    for (const [words, message] of wrong) {
      const { err, code } = await runIn(dash(), origin, words);
      expect(err).toContain(message);
      expect(code).toBe(1);
    }
    expect(requests).toEqual([]);
  });

  it("requires root", async () => {
    const { err, code } = await runIn(dash(), serveDownloads().origin, ["--token", TOKEN], {
      root: "",
      env: { FAKE_USER: "1000" },
    });
    expect(err).toContain("has to run as root");
    expect(code).toBe(1);
  });

  it("reports which download failed", async () => {
    const { origin } = serveTarget(() => new Response("", { status: 404 }));
    const { err, code } = await runIn(dash(), origin, ["--token", TOKEN]);
    expect(err).toContain(`could not download ${origin}/downloads/wakeful-linux-`);
    expect(code).toBe(1);
    expect(readdirSync(at("etc"))).toEqual([]);
  });

  it("installs no program that does not run on this machine", async () => {
    const words = ["--token", TOKEN, "--executable"];
    const { err, code } = await runIn(dash(), serveDownloads("#!/bin/sh\nexit 3\n").origin, words);
    expect(err).toContain("does not run on this system");
    expect(code).toBe(1);
    expect(existsSync(at("usr/local/bin/wakeful"))).toBe(false);
  });

  it("prints the agent's error when the service does not run", async () => {
    addTool("systemctl", "true");
    setServerStatus("1\nnot enrolled\nstate    https://a.example/ does not take this machine: the token has expired\n");
    const { err, code } = await runIn(dash(), serveDownloads().origin, ["--token", TOKEN]);
    expect(err).toContain(
      "is installed but does not run: https://a.example/ does not take this machine: the token has expired",
    );
    expect(code).toBe(1);
  });

  it("succeeds only after the first report, and prints what it waits for", async () => {
    setServerStatus("1\nnot enrolled\nstate    Cannot enroll at https://a.example/ yet: the connection is refused\n");
    const { out, err, code } = await runIn(dash(), serveDownloads().origin, ["--token", TOKEN], {
      env: { https_proxy: "http://proxy:3128" },
    });
    expect(err).toContain("has not reached");
    expect(err).toContain("yet: the connection is refused");
    expect(err).toContain("add HTTPS_PROXY=");
    expect([code, out.includes("The agent runs and reports")]).toEqual([1, false]);
    expect(read("etc/wakeful-agent.env")).toContain(TOKEN);
  });

  it("restores the earlier settings when a new token is refused", async () => {
    const { origin } = serveDownloads();
    await runIn(dash(), origin, ["--token", TOKEN, "--interval", "15"]);
    enrolled();
    const before = read("etc/wakeful-agent.env");
    setServerStatus(`${REPORTS}token    refused: it knows no such token\n`);
    const { err, code } = await runIn(dash(), origin, ["--token", "wkt_wrong", "--interval", "5"]);
    expect(err).toContain("the new token was refused: it knows no such token. The earlier settings are back");
    expect(code).toBe(1);
    expect(read("etc/wakeful-agent.env")).toBe(before);
    expect(readdirSync(at("etc")).toSorted()).toEqual(["passwd", "systemd", "wakeful-agent.env"]);
    expect(calls().trim().split("\n").at(-1)).toBe("systemctl restart wakeful-agent");
  });

  it("refuses http:// to another machine without the option for it", async () => {
    for (const address of ["http://192.168.1.5:8080", "http://127.example.com", "http://watch.example.com/wakeful"]) {
      const { err, code } = await runIn(dash(), address, ["--token", TOKEN]);
      expect([code, err]).toEqual([1, expect.stringContaining(`${address} is not encrypted`)]);
    }
    const { err } = await runIn(dash(), "http://127.example.invalid", ["--token", TOKEN, "--allow-http"]);
    expect(err).toContain("could not download http://127.example.invalid/");
  });

  it("refuses a program whose checksum differs from the one in the command", async () => {
    const { origin } = serveDownloads();
    const { err, code } = await runIn(dash(), origin, ["--token", TOKEN, "--sha256", sha256("other")]);
    expect(err).toContain(`not ${sha256("other")}. Nothing was installed. The command is for one kind of machine`);
    expect(code).toBe(1);
    expect(readdirSync(at("usr/local/bin"))).toEqual([]);
    expect(readdirSync(at("etc"))).toEqual([]);
  });

  it("leaves no files when the settings can't be written", async () => {
    rmSync(at("etc"), { recursive: true });
    writeFileSync(at("etc"), "");
    const { code } = await runIn(dash(), serveDownloads().origin, ["--token", TOKEN]);
    expect(code).toBe(1);
    expect(existsSync(at("usr"))).toBe(false);
  });

  it("replaces a unit that was written by hand, and removes its state", async () => {
    for (const path of ["etc/systemd/system", "usr/local/bin", "var/lib/private/wakeful-agent"])
      mkdirSync(at(path), { recursive: true });
    writeFileSync(at("etc/systemd/system/wakeful-agent.service"), "[Service]\nDynamicUser=yes\n");
    writeFileSync(at("usr/local/bin/wakeful"), PROGRAM);
    symlinkSync("private/wakeful-agent", at("var/lib/wakeful-agent"));
    writeFileSync(at("var/lib/wakeful-agent/agent.json"), "{}");
    const { origin } = serveDownloads();
    const { err, code } = await runIn(dash(), origin, []);
    expect({ err, code }).toEqual({ err: "", code: 0 });
    expect(calls()).toStartWith("systemctl stop wakeful-agent\nuseradd ");
    expect(read("etc/systemd/system/wakeful-agent.service")).toContain("User=wakeful-agent");
    await runIn(dash(), origin, ["--uninstall"]);
    const files = readdirSync(at(""), { recursive: true }).filter((path) => lstatSync(at(String(path))).isFile());
    expect(files).toEqual([]);
    expect(readdirSync(at("var/lib"))).toEqual(["private"]);
  });

  it("warns about an agent that was started by hand and still runs", async () => {
    rmSync(at("run"), { recursive: true });
    const { origin } = serveDownloads();
    await runIn(dash(), origin, ["--token", TOKEN, "--no-service"]);
    enrolled();
    const child = Bun.spawn(["sh", "-c", ": wakeful; sleep 60"]);
    onTestFinished(() => child.kill());
    writeFileSync(at("var/lib/wakeful-agent/status.json"), `{"process":${child.pid}}`);
    const { out } = await runIn(dash(), origin, ["--uninstall"]);
    expect(out).toContain(`still runs. Stop it: kill ${child.pid}`);
  });

  it("keeps a program that the service of a hub runs", async () => {
    const { origin } = serveDownloads();
    await runIn(dash(), origin, ["--token", TOKEN]);
    writeFileSync(at("etc/systemd/system/wakeful.service"), "ExecStart=/usr/local/bin/wakeful\n");
    await runIn(dash(), origin, ["--uninstall"]);
    expect(existsSync(at("usr/local/bin/wakeful"))).toBe(true);
    expect(existsSync(at("etc/systemd/system/wakeful-agent.service"))).toBe(false);
  });

  it("keeps a program that it did not install", async () => {
    mkdirSync(at("usr/local/bin"), { recursive: true });
    writeFileSync(at("usr/local/bin/wakeful"), "the console");
    const { origin } = serveDownloads();
    await runIn(dash(), origin, ["--token", TOKEN]);
    enrolled();
    await runIn(dash(), origin, []);
    await runIn(dash(), origin, ["--uninstall"]);
    expect(existsSync(at("usr/local/bin/wakeful"))).toBe(true);
    expect(existsSync(at("etc/wakeful-agent.env"))).toBe(false);
  });
});
