import { executableName } from "../../../../src/shared/agents/downloads";
import { type InstallOptions, linuxInstallCommand } from "../../../../src/shared/agents/install-command";
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

/** Installs the agent with one command; null for systems that have none. */
export const installCommand = (target: Target, options: InstallOptions) =>
  target.system === "linux" ? linuxInstallCommand(target, options) : null;

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
