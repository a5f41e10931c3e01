import { serverAddress } from "../../../bootstrap";
import { installCommand, type Target } from "./commands";
import { readChecksums } from "./guide-commands";
import { reusableToken } from "./token";

/**
 * The command that installs the agent on a Linux machine, with this tab's unused token or a new one.
 * @throws {CallError} when no token can be created
 */
export const readInstallCommand = async (): Promise<string> => {
  const { token, downloads } = await reusableToken();
  const target: Target = {
    server: serverAddress(),
    token,
    system: "linux",
    architecture: "amd64",
    agent: "executable",
  };
  return installCommand(target, { sums: await readChecksums(target, downloads), autoUpdate: false }) ?? "";
};
