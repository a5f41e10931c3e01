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

const start = ({ server, token }: Target, seconds: number) =>
  `agent start --server ${server} --token ${token} --interval ${seconds}`;

export const startCommand = (target: Target) =>
  `${target.system === "windows" ? `.\\${fileName(target)}` : "./wakeful"} ${start(target, interval)}`;

/** Downloads, checks and installs the agent as a service in one go; Linux only. */
export const installCommand = ({ server, token, system }: Target) =>
  system === "linux" ? `curl -fsSL ${server}/install.sh | sh -s -- --token ${token}` : null;

/** A systemd unit for whoever writes their own; Linux only. Code 78: somebody has to look, starting again is no help. */
export const serviceUnit = (target: Target) =>
  target.system === "linux"
    ? `[Unit]
Description=Wakeful host agent
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=/usr/local/bin/wakeful ${start(target, serviceInterval)}
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
