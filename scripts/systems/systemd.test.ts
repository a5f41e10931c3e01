/** The agent as a service of systemd, and updates of agent and hub. */
import { afterAll, beforeAll, expect } from "bun:test";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleInstaller } from "../lib/bundle-script";
import { freePort } from "../smoke/lib/free-port";
import { prepareContainer } from "./lib/container";
import { type Hub, startHubWithDownloads } from "./lib/hub";
import { NAME, serveRelease, signRelease } from "./lib/releases";

const NEWER = "99.0.0";

let hub: Hub;
let releases: ReturnType<typeof Bun.serve>;
const container = prepareContainer("systemd");

beforeAll(async () => {
  hub = await startHubWithDownloads();
  releases = await serveRelease(join(hub.folder, "releases"), hub.key, NEWER);
});
afterAll(async () => {
  releases.stop(true);
  await hub.stop();
  container.remove();
});

const itInContainer = await container.it();

itInContainer("systemd runs the agent, updates it to a signed release, and removes it", async () => {
  const printed = await container.boot(`set -e
    trap '[ $? -eq 0 ] || { systemctl status --no-pager wakeful-agent; journalctl --no-pager -n 60; }' EXIT
    mkdir -p /usr/local/bin
    echo 'WAKEFUL_RELEASES="${releases.url.origin}"' >/etc/wakeful-agent.env
    curl -fsS ${hub.origin}/install.sh >/root/install.sh
    echo ${await hub.token()} | sh /root/install.sh --server ${hub.origin} --token-file - --interval 2 --name booted --auto-update
    systemd-analyze verify /etc/systemd/system/wakeful-agent*.service /etc/systemd/system/wakeful-agent-update.timer
    ps -o user= -p "$(systemctl show -P MainPID wakeful-agent)"
    systemd-analyze security --no-pager wakeful-agent-update.service | tail -n 1
    echo "timer $(systemctl is-active wakeful-agent-update.timer)"
    systemctl start wakeful-agent-update.service
    journalctl -q -o cat -u wakeful-agent-update.service | grep Version
    echo "now $(wakeful version) $(systemctl is-active wakeful-agent)"
    sh /root/install.sh --light
    echo "light $(systemctl is-active wakeful-agent)"
    sh /root/install.sh --uninstall
    echo "left: $(find /usr/local /etc /var/lib -name '*wakeful*')"
    echo "failed: $(systemctl --failed --plain --no-legend | grep wakeful)"`);
  const expected = [
    "The agent runs and reports to",
    "It looks for a signed update each day",
    "wakeful-agent\n",
    "exposure level for wakeful-agent-update.service: 2.",
    "timer active",
    `Version ${NEWER} of 2026-05-31 runs and reports.`,
    `now ${NEWER} active`,
    "light active",
    "left: \n",
    "failed: \n",
  ];
  for (const text of expected) expect(printed).toContain(text);
  expect(await hub.reported("booted")).toMatchObject({ hostname: expect.any(String) });
});

itInContainer(
  "wakeful update updates the hub that the script installed, and goes back from a version that fails",
  async () => {
    const home = join(container.root, "root");
    mkdirSync(home, { recursive: true });
    copyFileSync(join(hub.folder, "downloads", NAME), join(home, "wakeful"));
    writeFileSync(join(home, "install.sh"), bundleInstaller("", ""));
    const releaseBroken = async (folder: string, before = "") => {
      mkdirSync(join(home, folder));
      const script = `#!/bin/sh\n[ "$1" = version ] && { echo 100.0.0; exit; }\n${before}\nexit 1\n`;
      writeFileSync(join(home, folder, NAME), script);
      await signRelease(join(home, folder), hub.key, "100.0.0");
    };
    await releaseBroken("broken");
    const migrate = `const db = new (require("bun:sqlite").Database)("/var/lib/wakeful/wakeful.db");
      db.query("insert into __drizzle_migrations (hash, created_at) values (?, ?)").run("new", 9999999999999);
      db.exec("drop table monitors");`;
    await releaseBroken("migrating", `BUN_BE_BUN=1 /usr/local/bin/wakeful.before -e '${migrate}'`);
    const printed = await container.boot(
      `set -e
    trap '[ $? -eq 0 ] || { systemctl status --no-pager wakeful; journalctl --no-pager -n 60; }' EXIT
    mkdir -p /usr/local/bin
    sh /root/install.sh /root/wakeful PORT=${freePort()}
    wakeful update --from ${releases.url.origin}
    echo "now $(wakeful version) $(systemctl is-active wakeful)"
    wakeful update --from /root/broken --wait 20 || echo "code $?"
    echo "then $(wakeful version) $(systemctl is-active wakeful)"
    wakeful update --from /root/migrating --wait 20 || echo "migrated: code $?"
    echo "at last $(wakeful version) $(systemctl is-active wakeful)"
    (cd /var/lib/wakeful && stat -c 'owner %U %a' wakeful.db wakeful-before-100.0.0.db wakeful.db.before-* | sort -u)
    sh /root/install.sh --purge
    echo "left: $(find /usr/local /etc /var/lib -name '*wakeful*')"`,
      240,
    );
    for (const text of [
      `Made the backup /var/lib/wakeful/wakeful-before-${NEWER}.db.`,
      `Version ${NEWER} of 2026-05-31 runs and is healthy.`,
      `now ${NEWER} active`,
      "Version 100.0.0 was not healthy within 20 seconds.",
      `Version ${NEWER} is back.`,
      "code 2",
      `then ${NEWER} active`,
      "The backup /var/lib/wakeful/wakeful-before-100.0.0.db is restored",
      "migrated: code 2",
      `at last ${NEWER} active`,
      "left: \n",
    ])
      expect(printed).toContain(text);
    expect(printed.match(/^owner .*/gm)).toEqual(["owner wakeful 600"]);
  },
);
