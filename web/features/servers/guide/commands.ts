import { executableName } from "../../../../src/shared/agents/downloads";
import type { AgentKind } from "../../../../src/shared/agents/report";

export const systems = ["linux", "darwin", "windows"] as const;
export type System = (typeof systems)[number];

export const architectures = ["amd64", "arm64"] as const;
export type Architecture = (typeof architectures)[number];

export type Machine = { system: System; architecture: Architecture; agent: AgentKind };

/** The inputs of the commands: the hub's address, the enrollment token, the new machine, and its agent. */
export type Target = Machine & { server: string; token: string };

/** Whether the light agent, a shell script, runs on a system. */
export const hasShell = (system: System): boolean => system !== "windows";

/** Seconds between two reports. */
const interval = 60;
const serviceInterval = 300;

/** The name of the agent program in the hub's downloads. */
export const fileName = ({ system, architecture, agent }: Machine, isMusl = false) => {
  if (agent === "light") return "agent.sh";
  return executableName(system === "windows" ? "win32" : system, architecture, isMusl);
};

export const downloadAddress = (target: Target, isMusl = false) =>
  target.agent === "light" ? `${target.server}/agent.sh` : `${target.server}/downloads/${fileName(target, isMusl)}`;

/** Downloads the program as `wakeful` or `agent.sh`; null for Windows, where the link is used. */
export const downloadCommand = (target: Target) => {
  if (target.agent === "light") return `curl -fL -o agent.sh ${downloadAddress(target)}`;
  return target.system === "windows" ? null : `curl -fL -o wakeful ${downloadAddress(target)} && chmod +x wakeful`;
};

/** Renames a file downloaded by the link to what `downloadCommand` produces; null where it has that name. */
export const renameCommand = (target: Target) =>
  target.system === "windows" || target.agent === "light" ? null : `mv ${fileName(target)} wakeful && chmod +x wakeful`;

/** Starts the agent. The token is read from standard input, because every user of a machine can read command lines. */
export const startCommand = (target: Target) => {
  const { server, token, system, agent } = target;
  const options = `start --server ${server} --token-file - --interval ${interval}`;
  if (agent === "light") return `echo ${token} | sh agent.sh ${options}`;
  const args = `agent ${options}`;
  return system === "windows" ? `"${token}" | .\\${fileName(target)} ${args}` : `echo ${token} | ./wakeful ${args}`;
};

/** Whether traffic to this address can be read and changed in transit. */
export const isUnencrypted = (server: string) => server.startsWith("http://") && !isLocal(server);

type InstallOptions = {
  /** The checksums of all files that may be installed; without any, those that the hub names to the machine. */
  sums: readonly string[];
  /** Whether the executable is updated each day. */
  autoUpdate: boolean;
};

/** Downloads, verifies and installs the agent as a service with one command; Linux only. */
export const installCommand = ({ server, token, system, agent }: Target, { sums, autoUpdate }: InstallOptions) => {
  if (system !== "linux") return null;
  const ofKind = agent === "light" ? ["--light"] : autoUpdate ? ["--auto-update"] : [];
  const checks = sums.flatMap((sum) => ["--sha256", sum]);
  const args = ["--server", server, ...checks, ...ofKind, ...(isUnencrypted(server) ? ["--allow-http"] : [])];
  // curl would follow a redirect to http, and run what it gets as root.
  const curl = server.startsWith("https:") ? "curl --proto '=https' -fsSL" : "curl -fsSL";
  return `echo ${token} | sh -c "$(${curl} ${server}/install.sh)" install.sh ${args.join(" ")} --token-file -`;
};

/** Writes the token to a file that only root can read, for `serviceUnit`. */
export const tokenCommand = ({ token }: Target) => `(umask 077; echo WAKEFUL_TOKEN=${token} >/etc/wakeful-agent.env)`;

/** A systemd unit for a manual installation of the executable; Linux only. Exit code 78 means a configuration error, which a restart does not fix. */
export const serviceUnit = (target: Target) =>
  target.system === "linux" && target.agent === "executable"
    ? `[Unit]
Description=Wakeful host agent
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=/usr/local/bin/wakeful agent start --server ${target.server} --interval ${serviceInterval}
EnvironmentFile=-/etc/wakeful-agent.env
Environment=BUN_JSC_useJIT=0 UV_THREADPOOL_SIZE=16
Restart=always
RestartSec=10
RestartPreventExitStatus=78
DynamicUser=yes
StateDirectory=wakeful-agent
NoNewPrivileges=yes

[Install]
WantedBy=multi-user.target
`
    : null;

/** Whether only the machine that runs the hub can reach this address. */
export const isLocal = (server: string) =>
  /^https?:\/\/(localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0)([:/]|$)/.test(server);
