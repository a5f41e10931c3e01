import { describe, expect, it } from "bun:test";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import {
  at,
  calls,
  enrolled,
  PROGRAM,
  prepareMachine,
  read,
  runIn,
  serveDownloads,
  sha256,
  shells,
  TOKEN,
} from "../../../testing/installer";
import { installScript } from "./script/install-script";

prepareMachine();

for (const [name, shellOf] of Object.entries(shells)) {
  describe(`under ${name}`, () => {
    it("installs the program and starts it as a service", async () => {
      const { origin } = serveDownloads();
      const sum = sha256(PROGRAM);
      const words = ["--server", `${origin}/`, "--sha256", sum, "--token-file", "-", "--name", "web 1"];
      const { out, err, code } = await runIn(shellOf(), "http://elsewhere.example", words, { input: `${TOKEN}\n` });
      expect({ err, code }).toEqual({ err: "", code: 0 });
      expect(out).toContain(`reports to ${origin} every 60 s`);
      expect(read("usr/local/bin/wakeful")).toBe(PROGRAM);
      expect(statSync(at("usr/local/bin/wakeful")).mode & 0o777).toBe(0o755);
      expect(readdirSync(at("usr/local/bin"))).toEqual(["wakeful"]);
      expect(read("etc/wakeful-agent.env")).toEndWith(
        `\nWAKEFUL_SERVER="${origin}"\nWAKEFUL_INTERVAL="60"\nWAKEFUL_NAME="web 1"\n`,
      );
      expect(statSync(at("etc/wakeful-agent.env")).mode & 0o777).toBe(0o600);
      const unit = read("etc/systemd/system/wakeful-agent.service");
      expect(unit).toContain("ExecStart=/usr/local/bin/wakeful agent start\n");
      expect(unit).not.toContain(TOKEN);
      expect(calls()).toMatch(
        /^systemctl stop wakeful-agent\nuseradd .* wakeful-agent\nsystemctl daemon-reload\nsystemctl enable --quiet wakeful-agent\nsystemctl reset-failed wakeful-agent\nsystemctl restart wakeful-agent\n$/,
      );
    });

    it("updates an installation without a token, and keeps its settings", async () => {
      const shell = shellOf();
      await runIn(shell, serveDownloads().origin, ["--token", TOKEN, "--interval", "15"]);
      enrolled();
      writeFileSync(
        at("etc/wakeful-agent.env"),
        `${read("etc/wakeful-agent.env")}# Mine\nHTTPS_PROXY=http://proxy:3128\n`,
      );
      const program = `${PROGRAM}# newer\n`;
      const { origin } = serveDownloads(program);
      const { err, code } = await runIn(shell, origin, []);
      expect({ err, code }).toEqual({ err: "", code: 0 });
      expect(read("usr/local/bin/wakeful")).toBe(program);
      expect(read("etc/wakeful-agent.env")).toEndWith(
        `WAKEFUL_SERVER="${origin}"\nWAKEFUL_INTERVAL="15"\n# Mine\nHTTPS_PROXY=http://proxy:3128\n`,
      );
      expect(statSync(at("etc/wakeful-agent.env")).mode & 0o777).toBe(0o600);
      expect(calls().match(/useradd/g)).toHaveLength(1);
    });

    it("refuses a download with a wrong checksum, and keeps the installed program", async () => {
      const shell = shellOf();
      await runIn(shell, serveDownloads().origin, ["--token", TOKEN]);
      enrolled();
      const { err, code } = await runIn(shell, serveDownloads(`${PROGRAM}# evil\n`, sha256("other")).origin, []);
      expect(err).toContain(`not ${sha256("other")}. Nothing was installed.`);
      expect(code).toBe(1);
      expect(read("usr/local/bin/wakeful")).toBe(PROGRAM);
      expect(readdirSync(at("usr/local/bin"))).toEqual(["wakeful"]);
    });

    it("uninstalls everything that it installed", async () => {
      const shell = shellOf();
      const { origin } = serveDownloads();
      await runIn(shell, origin, ["--token", TOKEN]);
      mkdirSync(at("var/lib/wakeful-agent"), { recursive: true });
      writeFileSync(at("var/lib/wakeful-agent/agent.json"), "{}");
      const { err, code } = await runIn(shell, origin, ["--uninstall"]);
      expect({ err, code }).toEqual({ err: "", code: 0 });
      const files = readdirSync(at(""), { recursive: true }).filter((path) => statSync(at(String(path))).isFile());
      expect(files).toEqual([]);
      expect(calls()).toContain("systemctl disable --quiet --now wakeful-agent\n");
      expect(calls()).toContain("systemctl daemon-reload\nsystemctl reset-failed wakeful-agent\n");
      expect(calls()).toContain("userdel wakeful-agent\n");
      expect(existsSync(at("var/lib/wakeful-agent"))).toBe(false);
      expect((await runIn(shell, origin, ["--uninstall"])).code).toBe(0);
    });

    it("does nothing when the script is truncated", async () => {
      const shell = shellOf();
      const { origin, requests } = serveDownloads();
      const script = installScript("@SERVER@");
      const end = script.lastIndexOf("main");
      for (const length of [500, Math.floor(script.length / 2), end, end + 2]) {
        await runIn(shell, origin, ["--token", TOKEN], { text: script.slice(0, length) });
        expect([length, requests, calls()]).toEqual([length, [], ""]);
        expect(readdirSync(at("")).toSorted()).toEqual(["etc", "run"]);
        expect(readdirSync(at("etc"))).toEqual([]);
      }
    });

    it("prints how to run the agent without systemd", async () => {
      rmSync(at("run"), { recursive: true });
      const { out, code } = await runIn(shellOf(), serveDownloads().origin, ["--token", TOKEN, "--no-service"]);
      expect(code).toBe(0);
      expect(out).toContain("exec /usr/local/bin/wakeful agent start");
      expect(calls()).toBe("");
    });
  });
}
