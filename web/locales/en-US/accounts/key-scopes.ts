import type { Words } from "../../zh-CN";
import type { keyScopes as zhCN } from "../../zh-CN/accounts/key-scopes";

export const keyScopes: Words<typeof zhCN> = {
  label: "What it is for",
  preset: {
    read: "Read everything",
    write: "Change everything",
    ping: "Only pings",
    publish: "Publish the status page and incidents",
    enroll: "Enroll servers",
    maintain: "Maintenance of deployments",
    custom: "Choose…",
  },
  hint: {
    read: "Views what you can view. It doesn’t see headers, bodies or passwords in the URLs of monitors.",
    ack: "Acknowledges outages and writes their notes.",
    ping: "Sends pings of heartbeats, and reads nothing.",
    publish: "Changes and publishes the status page, posts incidents and updates, and reads nothing.",
    enroll: "Creates and revokes registration tokens, and reads nothing.",
    channels: "Adds, changes, tests and deletes notification channels.",
    maintain: "Starts and ends maintenance windows, and reads nothing.",
    apply: "Imports configurations and files of other products, and creates ping keys.",
    write: "Views and changes everything but users, sessions and keys.",
  },
  team: "Team",
  teamHint: "A key of one team sees nothing else of yours, and has no administrator rights.",
  allTeams: "All my teams",
  mine: "Mine",
  none: "Choose at least one",
};
