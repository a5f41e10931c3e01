/** The hub as a service of systemd: installed, upgraded and removed by its script. */
import { afterAll, beforeAll, expect } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { bundleInstaller } from "../lib/bundle-script";
import { createKey } from "../lib/release-files";
import { freePort } from "../smoke/lib/free-port";
import { prepareContainer } from "./lib/container";
import { serveRelease } from "./lib/releases";

const BUILT = resolve(import.meta.dir, "../../dist/wakeful");
const NEWER = "99.0.0";
const { version: VERSION } = await Bun.file(resolve(import.meta.dir, "../../package.json")).json();

/** Passes every check of the script, and destroys the database instead of serving. */
const BROKEN = `#!/bin/sh
case \${1:-} in
  version) echo 98.0.0 ;;
  serve) echo "ok: fine" ;;
  '') echo nothing >"$DATA_DIR/wakeful.db"; echo "cannot go on"; exit 1 ;;
esac
`;

const folder = mkdtempSync(join(tmpdir(), "wakeful-install-"));
const container = prepareContainer("install");
const itInContainer = await container.it();
let releases: Awaited<ReturnType<typeof serveRelease>>;

beforeAll(async () => {
  const file = join(folder, "release.key");
  const key = { file, publicText: createKey(file) };
  releases = await serveRelease(join(folder, "releases"), key, NEWER);
  const home = join(container.root, "root");
  mkdirSync(home, { recursive: true });
  copyFileSync(BUILT, join(home, "wakeful"));
  writeFileSync(join(home, "broken"), BROKEN);
  const header = readFileSync(BUILT).subarray(0, 4096);
  // The processor of an ELF file, here ARM with 64 bits.
  header[18] = 0xb7;
  writeFileSync(join(home, "arm64"), header);
  writeFileSync(join(home, "install.sh"), bundleInstaller(releases.url.origin, key.publicText));
  const other = createKey(join(folder, "other.key"));
  writeFileSync(join(home, "install-other.sh"), bundleInstaller(releases.url.origin, other));
});
afterAll(() => {
  releases.stop(true);
  container.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Steps whose output is under their name. */
const run = async (steps: Record<string, string>): Promise<Record<string, string>> => {
  const script = Object.entries(steps).map(([name, step]) => `echo "== ${name}"\n(\n${step}\n)`);
  const printed = await container.boot(
    `port=${freePort()}
    mkdir -p /usr/local/bin
    install() { sh /root/install.sh "$@" || echo "exit $?"; }
    state() { echo "$(wakeful version) $(systemctl is-active wakeful) $(systemctl is-enabled wakeful)"; }
    left() { find /usr/local /etc /var/lib -name '*wakeful*' | sort | tr '\\n' ' '; echo; }
    account() { curl -fsS "http://127.0.0.1:$port/api/auth/$1" --json '{"username":"alice","password":"correct horse battery"}' -o /dev/null -w '%{http_code}\\n'; }
    ${script.join("\n")}`,
    400,
  );
  const parts = printed.split(/^== (.+)$/m).slice(1);
  return Object.fromEntries(
    parts.flatMap((name, index) => (index % 2 === 0 ? [[name, parts[index + 1] as string]] : [])),
  );
};

/** Each step printed its texts. */
const assertPrinted = (printed: Record<string, string>, expected: Record<string, string[]>) => {
  const missing = Object.entries(expected).flatMap(([name, texts]) =>
    texts.flatMap((text) => (printed[name]?.includes(text) ? [] : [{ name, text, printed: printed[name] }])),
  );
  expect(missing).toEqual([]);
};

itInContainer("the script refuses what cannot work, and leaves nothing behind", async () => {
  const printed = await run({
    "another processor": "install /root/arm64",
    "not the file": "install /root/wakeful --sha256 $(printf '%064d' 0)",
    "no program": "echo text >/root/text; install /root/text",
    "a setting": "install /root/wakeful PORT=99999",
    "a port": `install /root/wakeful PORT=${releases.port}`,
    "other data":
      "mkdir /var/lib/wakeful; touch /var/lib/wakeful/photos; install /root/wakeful; rm -r /var/lib/wakeful",
    "another unit":
      "echo '[Service]' >/etc/systemd/system/wakeful.service; install /root/wakeful; rm /etc/systemd/system/wakeful.service",
    "a full disk": "mount -t tmpfs -o size=8m tmpfs /usr/local/bin; install /root/wakeful; umount /usr/local/bin",
    "another signature": "sh /root/install-other.sh || echo exit $?",
    "no release": "install --releases http://127.0.0.1:1 --sha256 $(printf '%064d' 0)",
    "not installed": "install --uninstall",
    left: "left",
  });
  assertPrinted(printed, {
    "another processor": ["/root/arm64 is for arm64 processors", "Nothing was changed.\nexit 1"],
    "not the file": ["the executable is damaged or was changed", "exit 1"],
    "no program": ["the executable does not run here", "exit 1"],
    "a setting": ["the settings cannot be used", "PORT=99999", "exit 1"],
    "a port": [`port ${releases.port} is in use`, `PORT=${Number(releases.port) + 1}`, "exit 1"],
    "other data": ["/var/lib/wakeful holds files that are not Wakeful's: /var/lib/wakeful/photos", "exit 1"],
    "another unit": ["was not written by this script", "exit 1"],
    "a full disk": ["/usr/local/bin has 8 MB free", "exit 1"],
    "another signature": ["the signature of the release", "is wrong. Nothing was changed.\nexit 1"],
    "no release": ["could not download http://127.0.0.1:1/wakeful-linux-amd64", "exit 1"],
    "not installed": ["Wakeful is not installed as a service here."],
  });
  expect(printed.left?.trim()).toBe("");
});

itInContainer(
  "the script installs, upgrades, goes back and removes the hub, and its data stays until it is purged",
  async () => {
    const printed = await run({
      "first time": "install /root/wakeful PORT=$port 'PUBLIC_URL=https://watch.example.com'",
      unit: `systemd-analyze verify /etc/systemd/system/wakeful.service
      systemd-analyze security --no-pager wakeful.service | tail -n 1
      ps -o user= -p "$(systemctl show -P MainPID wakeful)"; stat -c '%U %a' /var/lib/wakeful /etc/wakeful/environment`,
      "second time": "account register; install /root/wakeful",
      "a setting": "install /usr/local/bin/wakeful LOG_LEVEL=debug; cat /etc/wakeful/environment; state",
      "a broken version":
        "install /root/broken; state; account login; ls /var/lib/wakeful/before-upgrade; ls /usr/local/bin /etc/wakeful",
      interrupted: `systemctl stop wakeful; echo "result $(systemctl show -P Result wakeful)"; ln /usr/local/bin/wakeful /usr/local/bin/wakeful.previous
      cp /root/broken /usr/local/bin/broken; mv /usr/local/bin/broken /usr/local/bin/wakeful; install /root/wakeful; state; account login`,
      stands: `mkdir -p /etc/systemd/system/wakeful.service.d
      printf '[Service]\\nWatchdogSec=6\\n' >/etc/systemd/system/wakeful.service.d/watchdog.conf
      systemctl daemon-reload; systemctl restart wakeful; kill -STOP "$(systemctl show -P MainPID wakeful)"
      for _ in $(seq 60); do sleep 1; [ "$(systemctl show -P NRestarts wakeful)" = 0 ] || break; done
      for _ in $(seq 60); do [ "$(systemctl is-active wakeful)" = active ] && break; sleep 1; done
      echo "restarts $(systemctl show -P NRestarts wakeful)"; state`,
      "a release": "install; state; account login",
      "an older version": "install /root/wakeful; state",
      uninstalled: "install --uninstall; systemctl is-active wakeful; left",
      again: "install; state; account login",
      purged: "install --purge; left; id wakeful",
    });
    assertPrinted(printed, {
      "first time": [`Wakeful ${VERSION} runs as the service wakeful`, "https://watch.example.com/register#"],
      unit: ["exposure level for wakeful.service: 1.3 ", "wakeful\nwakeful 700\nroot 600\n"],
      "second time": ["201\nNothing to change."],
      "a setting": [
        "Changing the settings",
        'PUBLIC_URL="https://watch.example.com"\nLOG_LEVEL="debug"\n',
        `${VERSION} active enabled`,
      ],
      "a broken version": [
        "wakeful: version 98.0.0 ended. The end of its log:\n  cannot go on\n",
        `cannot go on\nVersion ${VERSION} is back with its data.\nexit 1\n${VERSION} active enabled\n200\n`,
        "/etc/wakeful:\nenvironment\n\n/usr/local/bin:\nwakeful\n",
      ],
      interrupted: ["result success", "An earlier upgrade was interrupted", `${VERSION} active enabled\n200\n`],
      stands: [`restarts 1\n${VERSION} active enabled`],
      "a release": ["Downloading http", `Upgrading from ${VERSION} to ${NEWER}`, `${NEWER} active enabled\n200\n`],
      "an older version": [`version ${VERSION} is older than ${NEWER}`, `${NEWER} active enabled`],
      uninstalled: [
        "Its data is still in /var/lib/wakeful",
        "inactive\n/etc/systemd/system/wakeful.service.d /etc/wakeful /var/lib/wakeful",
      ],
      again: ["the data of an earlier installation", `${NEWER} active enabled\n200\n`],
      purged: ["Wakeful is gone, with its data and settings.\n\nid: ", "no such user"],
    });
  },
);
