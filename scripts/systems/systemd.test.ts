/** The agent as a service, and its updates, on a Debian that systemd boots in a container with this machine's /usr. */
import { afterAll, beforeAll, expect } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeFile, readKey, writeManifest } from "../lib/release-files";
import { buildExecutable, type Hub, itWhere, run, startHubWithDownloads } from "./lib/hub";

const NAME = "wakeful-linux-amd64";
const NEWER = "99.0.0";

let hub: Hub;
let releases: ReturnType<typeof Bun.serve>;
const root = mkdtempSync(join(tmpdir(), "wakeful-systemd-"));

/** Signs the executable in a folder as a release. */
const signRelease = async (folder: string, version: string) => {
  const files = { [NAME]: await describeFile(join(folder, NAME)) };
  await writeManifest(folder, { version, date: "2026-05-31", files }, readKey(hub.key.file));
};

/** Serves a signed release with a newer executable. */
const serveRelease = async () => {
  const folder = join(hub.folder, "releases");
  mkdirSync(folder);
  await buildExecutable(join(folder, NAME), "--release-key", hub.key.publicText, "--release-version", NEWER);
  await signRelease(folder, NEWER);
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const file = Bun.file(join(folder, new URL(request.url).pathname.slice(1)));
      return (await file.exists()) ? new Response(file) : new Response("", { status: 404 });
    },
  });
};

beforeAll(async () => {
  hub = await startHubWithDownloads();
  releases = await serveRelease();
});
afterAll(async () => {
  releases.stop(true);
  await hub.stop();
  rmSync(root, { recursive: true, force: true });
});

/** The container's own files; the rest is this machine's /usr. */
const makeSystem = (script: string) => {
  chmodSync(root, 0o755);
  for (const name of [
    "dev",
    "etc/systemd/system/multi-user.target.wants",
    "local",
    "proc",
    "root",
    "run",
    "sys",
    "tmp",
    "usr",
    "var",
  ])
    mkdirSync(join(root, name), { recursive: true });
  for (const name of ["bin", "lib", "lib64", "sbin"]) Bun.spawnSync(["ln", "-sfn", `usr/${name}`, join(root, name)]);
  cpSync("/etc/os-release", join(root, "etc/os-release"), { dereference: true });
  writeFileSync(join(root, "etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n");
  writeFileSync(join(root, "etc/group"), "root:x:0:\n");
  writeFileSync(join(root, "etc/machine-id"), "");
  writeFileSync(join(root, "root/check"), `#!/bin/sh\nexec >/root/printed 2>&1\n${script}\n`);
  chmodSync(join(root, "root/check"), 0o755);
  // The container ends with the script.
  const unit =
    "[Unit]\nSuccessAction=exit\nFailureAction=exit\n[Service]\nType=oneshot\nExecStart=/root/check\nTimeoutStartSec=80\n";
  writeFileSync(join(root, "etc/systemd/system/check.service"), unit);
  Bun.spawnSync([
    "ln",
    "-sf",
    "../check.service",
    join(root, "etc/systemd/system/multi-user.target.wants/check.service"),
  ]);
};

const boot = () =>
  run(
    [
      ...["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--boot", "--directory", root],
      ...[
        "--bind-ro=/usr",
        "--bind-ro=/etc/alternatives",
        `--bind=${join(root, "local")}:/usr/local`,
        "systemd.unit=multi-user.target",
      ],
    ],
    {},
  );

const itInContainer = await itWhere(async () => {
  makeSystem("echo booted");
  const { out, err } = await boot();
  const printed = join(root, "root/printed");
  if (!existsSync(printed)) return `systemd does not boot in a container here: ${err}${out.slice(-2000)}`;
  rmSync(printed);
  return null;
});

itInContainer("systemd runs the agent, updates it to a signed release, and removes it", async () => {
  makeSystem(`set -e
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
  const { out, err } = await boot();
  let printed = "";
  try {
    printed = readFileSync(join(root, "root/printed"), "utf8");
  } catch {
    throw new Error(`systemd does not boot in a container here: ${err}${out.slice(-2000)}`);
  }
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

/** The unit of docs/operations.md. */
const documentedUnit = (): string => {
  const guide = readFileSync(join(import.meta.dir, "../../docs/operations.md"), "utf8");
  return guide.match(/```ini\n(\[Unit\]\nDescription=Wakeful monitoring[^`]*)```/)?.[1] ?? "";
};

itInContainer(
  "wakeful update updates the hub of the documented unit, and goes back from a version that fails",
  async () => {
    const broken = join(root, "local/broken");
    for (const folder of [join(root, "local/bin"), broken]) mkdirSync(folder, { recursive: true });
    copyFileSync(join(hub.folder, "downloads", NAME), join(root, "local/bin/wakeful"));
    writeFileSync(join(broken, NAME), '#!/bin/sh\n[ "$1" = version ] && { echo 100.0.0; exit; }\nexit 1\n');
    await signRelease(broken, "100.0.0");
    makeSystem(`set -e
    trap '[ $? -eq 0 ] || { systemctl status --no-pager wakeful; journalctl --no-pager -n 60; }' EXIT
    systemctl start wakeful
    wakeful update --from ${releases.url.origin}
    echo "now $(wakeful version) $(systemctl is-active wakeful)"
    wakeful update --from /usr/local/broken --wait 20 || echo "code $?"
    echo "then $(wakeful version) $(systemctl is-active wakeful)"
    ls /var/lib/wakeful/ /usr/local/bin
    systemctl stop wakeful`);
    writeFileSync(join(root, "etc/systemd/system/wakeful.service"), documentedUnit());
    await boot();
    const printed = readFileSync(join(root, "root/printed"), "utf8");
    for (const text of [
      `Made the backup /var/lib/wakeful/wakeful-before-${NEWER}.db.`,
      `Version ${NEWER} of 2026-05-31 runs and is healthy.`,
      `now ${NEWER} active`,
      "Version 100.0.0 was not healthy within 20 seconds.",
      `Version ${NEWER} is back.`,
      "code 2",
      `then ${NEWER} active`,
    ])
      expect(printed).toContain(text);
  },
);

itInContainer(
  "systemd waits until the hub of the documented unit listens, and restarts it when it stands still",
  async () => {
    mkdirSync(join(root, "local/bin"), { recursive: true });
    copyFileSync(join(import.meta.dir, "../../dist/wakeful"), join(root, "local/bin/wakeful"));
    makeSystem(`set -e
    trap '[ $? -eq 0 ] || { systemctl status --no-pager wakeful; journalctl --no-pager -n 60; }' EXIT
    systemctl start wakeful
    curl -fsS http://127.0.0.1:8080/health && echo " started"
    kill -STOP "$(systemctl show -P MainPID wakeful)"
    for _ in $(seq 40); do sleep 1; [ "$(systemctl show -P NRestarts wakeful)" = 0 ] || break; done
    echo "restarts $(systemctl show -P NRestarts wakeful)"
    for _ in $(seq 40); do [ "$(systemctl is-active wakeful)" = active ] && break; sleep 1; done
    echo "now $(systemctl is-active wakeful)"
    systemctl stop wakeful
    echo "result $(systemctl show -P Result wakeful)"`);
    writeFileSync(
      join(root, "etc/systemd/system/wakeful.service"),
      documentedUnit().replace("WatchdogSec=120", "WatchdogSec=6"),
    );
    await boot();
    const printed = readFileSync(join(root, "root/printed"), "utf8");
    for (const text of [" started", "restarts 1", "now active", "result success"]) expect(printed).toContain(text);
  },
);
