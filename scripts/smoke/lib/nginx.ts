import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "./until";

/** Debian installs nginx outside the PATH of ordinary users. */
const program = () => Bun.which("nginx", { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` });

/** Runs nginx with these server blocks, which listen on `port`. */
export const startNginx = async (port: number, servers: string) => {
  const nginx = program();
  if (!nginx) throw new Error("nginx is not installed (Debian: apt-get install nginx-light)");
  const folder = mkdtempSync(join(tmpdir(), "wakeful-nginx-"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(" ");
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr crit; events {}
     http { access_log off; ${temporary} ${servers} }`,
  );
  const child = Bun.spawn([nginx, "-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  await until("nginx answers", async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    return (await fetch(`http://127.0.0.1:${port}/`, { redirect: "manual" }).catch(() => null)) !== null;
  });
  return {
    stop: async () => {
      child.kill("SIGTERM");
      await child.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
