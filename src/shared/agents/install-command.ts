import type { AgentKind } from "./report";

/** Whether only the machine that runs the hub can reach this address. */
export const isLocal = (server: string) =>
  /^https?:\/\/(localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0)([:/]|$)/.test(server);

/** Whether traffic to this address can be read and changed in transit. */
export const isUnencrypted = (server: string) => server.startsWith("http://") && !isLocal(server);

/** The hub's address, an enrollment token, and which agent is installed. */
type Installed = { server: string; token: string; agent: AgentKind };

export type InstallOptions = {
  /** The checksums of all files that may be installed; without any, those that the hub names to the machine. */
  sums: readonly string[];
  /** Whether the executable is updated each day. */
  autoUpdate: boolean;
};

/** Downloads, verifies and installs the agent as a service of a Linux machine with one command. */
export const linuxInstallCommand = ({ server, token, agent }: Installed, { sums, autoUpdate }: InstallOptions) => {
  const ofKind = agent === "light" ? ["--light"] : autoUpdate ? ["--auto-update"] : [];
  const checks = sums.flatMap((sum) => ["--sha256", sum]);
  const args = ["--server", server, ...checks, ...ofKind, ...(isUnencrypted(server) ? ["--allow-http"] : [])];
  // curl would follow a redirect to http, and run what it gets as root.
  const curl = server.startsWith("https:") ? "curl --proto '=https' -fsSL" : "curl -fsSL";
  return `echo ${token} | sh -c "$(${curl} ${server}/install.sh)" install.sh ${args.join(" ")} --token-file -`;
};
