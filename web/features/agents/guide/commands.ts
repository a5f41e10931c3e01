export const systems = ["linux", "darwin", "windows"] as const;
export type System = (typeof systems)[number];

export const architectures = ["amd64", "arm64"] as const;
export type Architecture = (typeof architectures)[number];

/** What is typed on the new machine depends on where it reports, what lets it in, and what it is. */
export type Target = { server: string; token: string; system: System; architecture: Architecture };

const interval = 60;
const serviceInterval = 300;

export const fileName = ({ system, architecture }: Target) =>
  `wakeful-${system}-${architecture}${system === "windows" ? ".exe" : ""}`;

export const downloadAddress = (target: Target) => `${target.server}/downloads/${fileName(target)}`;

/** Downloads the program as `wakeful`. Windows has no use for it: there one follows the link. */
export const downloadCommand = (target: Target) =>
  target.system === "windows" ? null : `curl -fL -o wakeful ${downloadAddress(target)} && chmod +x wakeful`;

/** Makes of a file that came by the link what the command above leaves. */
export const renameCommand = (target: Target) =>
  target.system === "windows" ? null : `mv ${fileName(target)} wakeful && chmod +x wakeful`;

/** The token comes by standard input: what stands on a command line can be seen by every user of the machine. */
export const startCommand = (target: Target) => {
  const { server, token, system } = target;
  const words = `agent start --server ${server} --token-file - --interval ${interval}`;
  return system === "windows" ? `"${token}" | .\\${fileName(target)} ${words}` : `echo ${token} | ./wakeful ${words}`;
};

/** Whether what is sent there can be read and changed on the way. */
export const isUnencrypted = (server: string) => server.startsWith("http://") && !isLocal(server);

/**
 * Downloads, checks and installs the agent as a service in one go; Linux only. With the checksum of the program, as this
 * page read it, no other program is installed.
 */
export const installCommand = ({ server, token, system }: Target, sum: string | null) => {
  if (system !== "linux") return null;
  const words = [
    "--server",
    server,
    ...(sum ? ["--sha256", sum] : []),
    ...(isUnencrypted(server) ? ["--allow-http"] : []),
  ];
  return `echo ${token} | sh -c "$(curl -fsSL ${server}/install.sh)" install.sh ${words.join(" ")} --token-file -`;
};

/** Puts the token where only root can read it, for the unit below. */
export const tokenCommand = ({ token }: Target) => `(umask 077; echo WAKEFUL_TOKEN=${token} >/etc/wakeful-agent.env)`;

/** A systemd unit for those who write their own; Linux only. Code 78: a person has to look, starting again is no help. */
export const serviceUnit = (target: Target) =>
  target.system === "linux"
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

/** Only the very machine that runs the console reaches such an address. */
export const isLocal = (server: string) =>
  /^https?:\/\/(localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0)([:/]|$)/.test(server);
