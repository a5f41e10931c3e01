/** The agents on a system of musl and BusyBox alone, in a chroot: Debian's loader, and a static BusyBox for every tool. */
import { afterAll, beforeAll, expect, onTestFinished } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyProgram, type Hub, itWhere, MUSL, probeTarget, run, startHubWithDownloads } from "./lib/hub";

const itOnMusl = await itWhere(async () => {
  const { err, code } = await run(["unshare", "--mount", "--pid", "--fork", "mount", "-t", "proc", "proc", "/mnt"]);
  return code === 0 ? probeTarget(MUSL) : `no processes and mounts of their own here: ${err}`;
});

let hub: Hub;
beforeAll(async () => {
  hub = await startHubWithDownloads(true);
});
afterAll(() => hub.stop());

/** The files of the system: musl's loader, BusyBox, and the folders that Alpine has. */
const makeSystem = (): string => {
  const root = mkdtempSync(join(tmpdir(), "wakeful-musl-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const name of ["bin", "dev", "etc", "lib", "proc", "root", "tmp", "usr/bin", "usr/lib", "usr/sbin", "sbin"])
    mkdirSync(join(root, name), { recursive: true });
  mkdirSync(join(root, "var/spool/cron/crontabs"), { recursive: true });
  copyProgram(Bun.which("busybox") ?? "/bin/busybox", root, "bin/busybox");
  copyProgram("/lib/ld-musl-x86_64.so.1", root, "lib/ld-musl-x86_64.so.1");
  writeFileSync(join(root, "etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n");
  writeFileSync(join(root, "etc/group"), "root:x:0:\n");
  writeFileSync(join(root, "etc/shadow"), "root:*:0:0:99999:7:::\n");
  writeFileSync(join(root, "etc/os-release"), 'PRETTY_NAME="BusyBox and musl"\n');
  return root;
};

/** Puts in place what `apk add libstdc++` would. */
const addLibraries = (root: string) => {
  const libraries = "/usr/lib/x86_64-linux-gnu";
  copyProgram(`${libraries}/libstdc++.so.6`, root, "usr/lib/libstdc++.so.6");
  copyProgram("/lib/x86_64-linux-gnu/libgcc_s.so.1", root, "usr/lib/libgcc_s.so.1");
  const source = join(import.meta.dir, "lib/musl-libraries.c");
  const target = join(root, "usr/lib/ld-linux-x86-64.so.2");
  const { exitCode, stderr } = Bun.spawnSync(["gcc", "-w", "-shared", "-nostdlib", "-fPIC", "-o", target, source]);
  if (exitCode !== 0) throw new Error(String(stderr));
};

/** Runs a script inside, with processes of its own and this machine's network. */
const runInside = (root: string, script: string) => {
  const enter = `mount -t proc proc ${root}/proc && mount --rbind /dev ${root}/dev && exec chroot ${root} /bin/busybox sh -c "$0"`;
  const words = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", enter];
  return run([...words, `/bin/busybox --install -s; ${script}`], {
    PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
  });
};

/** Installs as the page says, runs what cron would, and removes everything again. */
const install = (name: string, token: string) => `set -e
wget -q -O /tmp/install.sh ${hub.origin}/install.sh
sh /tmp/install.sh --server ${hub.origin} --token ${token} --interval 2 --name ${name}
crontab -l
/usr/local/bin/wakeful-agent-watch
ps -o user,args | grep -v grep | grep 'wakeful-agent\\|wakeful agent' `;
const uninstall = `
sh /tmp/install.sh --uninstall
find / -xdev -name '*wakeful*' -o -xdev -name '.wakeful*' | grep -v ^/proc || true
echo "left: $(crontab -l)"`;

itOnMusl("BusyBox and musl with libstdc++ run the executable for musl, started by cron", async () => {
  const root = makeSystem();
  addLibraries(root);
  const { out, err, code } = await runInside(root, install("musl", await hub.token()) + uninstall);
  expect({ err, code }).toEqual({ err: "", code: 0 });
  expect(out).toContain(`/downloads/wakeful-linux-amd64-musl …`);
  expect(out).toContain("The agent runs and reports");
  expect(out).toContain("* * * * * /usr/local/bin/wakeful-agent-watch\n");
  expect(out).toEndWith(
    "The agent is gone from this machine. Its entry on the hub stays until you delete it there.\nleft: \n",
  );
  expect(await hub.reported("musl")).toMatchObject({ os: "BusyBox and musl" });
});

itOnMusl("BusyBox and musl without libstdc++ run the light agent, started by cron", async () => {
  const { out, err, code } = await runInside(makeSystem(), install("bare", await hub.token()) + uninstall);
  expect({ err, code }).toEqual({ err: "", code: 0 });
  expect(out).toContain(
    "The light agent is installed: the executable for musl needs libstdc++ (on Alpine: apk add libstdc++).",
  );
  expect(out).toContain("The agent runs and reports");
  expect(out).toEndWith("left: \n");
  expect(await hub.reported("bare")).toMatchObject({ os: "BusyBox and musl", agent_kind: "light" });
});
