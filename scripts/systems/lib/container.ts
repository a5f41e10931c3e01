import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { itWhere, run } from "./hub";

const FOLDERS = "dev etc/systemd/system/multi-user.target.wants local proc root run sys tmp usr var".split(" ");

/** A Debian that systemd boots in a container with this machine's /usr and network. */
export const prepareContainer = (name: string) => {
  const root = mkdtempSync(join(tmpdir(), `wakeful-${name}-`));

  /** Writes the container's own files. The container ends with the script. */
  const make = (script: string, seconds: number) => {
    chmodSync(root, 0o755);
    for (const folder of FOLDERS) mkdirSync(join(root, folder), { recursive: true });
    for (const folder of ["bin", "lib", "lib64", "sbin"])
      Bun.spawnSync(["ln", "-sfn", `usr/${folder}`, join(root, folder)]);
    cpSync("/etc/os-release", join(root, "etc/os-release"), { dereference: true });
    writeFileSync(
      join(root, "etc/passwd"),
      "root:x:0:0:root:/root:/bin/sh\nmessagebus:x:100:100::/nonexistent:/bin/false\n",
    );
    writeFileSync(join(root, "etc/group"), "root:x:0:\nmessagebus:x:100:\n");
    writeFileSync(join(root, "etc/machine-id"), "");
    writeFileSync(join(root, "root/check"), `#!/bin/sh\nexec >/root/printed 2>&1\n${script}\n`);
    chmodSync(join(root, "root/check"), 0o755);
    const unit = `[Unit]\nSuccessAction=exit\nFailureAction=exit\n[Service]\nType=oneshot\nExecStart=/root/check\nTimeoutStartSec=${seconds}\n`;
    writeFileSync(join(root, "etc/systemd/system/check.service"), unit);
    Bun.spawnSync([
      ...["ln", "-sf", "../check.service"],
      join(root, "etc/systemd/system/multi-user.target.wants/check.service"),
    ]);
  };

  /** Boots it with a script, and answers what the script printed. */
  const boot = async (script: string, seconds = 80): Promise<string> => {
    make(script, seconds);
    const printed = join(root, "root/printed");
    rmSync(printed, { force: true });
    const { out, err } = await run(
      [
        ...["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--boot", "--directory", root],
        ...["--bind-ro=/usr", "--bind-ro=/etc/alternatives", `--bind=${join(root, "local")}:/usr/local`],
        "systemd.unit=multi-user.target",
      ],
      {},
      (seconds + 120) * 1000,
    );
    if (!existsSync(printed)) throw new Error(`systemd does not boot in a container here: ${err}${out.slice(-2000)}`);
    return readFileSync(printed, "utf8");
  };

  return {
    root,
    boot,
    /** `it` where this machine can boot the container. */
    it: () =>
      itWhere(() =>
        boot("echo booted").then(
          () => null,
          (error: Error) => error.message,
        ),
      ),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
};
