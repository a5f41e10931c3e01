import { Elysia } from "elysia";
import { version } from "../../../../build-info";
import { describe } from "../../../../server/answers";
import agentScript from "./agent.sh" with { type: "text" };
import figures from "./figures.awk" with { type: "text" };

/** The light agent: one shell script for machines that the executable does not fit. */
export const lightAgent = agentScript.replace("@VERSION@", version).replace("@FIGURES@", () => figures);

const checksum = new Bun.CryptoHasher("sha256").update(lightAgent).digest("hex");

/** The light agent and its checksum. */
export const lightAgentRoutes = () =>
  new Elysia({ tags: ["System"] })
    .get(
      "/agent.sh",
      ({ set }) => {
        set.headers["content-type"] = "text/x-shellscript; charset=utf-8";
        return lightAgent;
      },
      {
        detail: describe({
          id: "getLightAgent",
          summary: "Get the light agent",
          description: "For machines that cannot run the agent program. It needs only a shell and usual tools.",
          access: "public",
          answer: {
            type: "text/x-shellscript",
            example: "#!/bin/sh …",
            description: "The agent as a POSIX shell script, which is the same for every machine.",
          },
        }),
      },
    )
    .get(
      "/agent.sh.sha256",
      ({ set }) => {
        set.headers["content-type"] = "text/plain; charset=utf-8";
        return `${checksum}  agent.sh\n`;
      },
      {
        detail: describe({
          id: "getLightAgentChecksum",
          summary: "Get the checksum of the light agent",
          description: "To verify a downloaded script with `sha256sum -c`.",
          access: "public",
          answer: {
            type: "text/plain",
            example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  agent.sh\n",
            description: "The SHA-256 checksum, as sha256sum prints it.",
          },
        }),
      },
    );
