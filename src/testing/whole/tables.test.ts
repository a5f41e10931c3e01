import { expect, it } from "bun:test";
import { readSources, type Source } from "../sources";

const moduleOf = (path: string) => /^src\/modules\/([^/]+)\//.exec(path)?.[1];
const modules = readSources("src/modules").filter(({ path }) => !/\.test\.ts$/.test(path));

/** The tables of each module. All others are common: settings, instances, counted attempts, and queues of history to purge. */
const tables: Record<string, string[]> = {
  accounts: [
    "users",
    "teams",
    "members",
    "invitations",
    "apiKeys",
    "sessions",
    "securityLog",
    "trustedClients",
    "mails",
    "authenticators",
    "passkeys",
    "recoveryCodes",
    "identities",
  ],
  monitors: [
    "monitors",
    "monitorStates",
    "monitorPauses",
    "recentChecks",
    "checkBlocks",
    "checkHours",
    "checkDays",
    "certificateAlerts",
    "objectives",
    "heartbeats",
    "pings",
    "lostPings",
    "pingKeys",
  ],
  tags: ["tags", "targetTags"],
  servers: [
    "agents",
    "agentStates",
    "reportJournal",
    "samplePacks",
    "sampleBlocks",
    "sampleTens",
    "sampleHours",
    "sampleDays",
    "trafficDays",
    "planAlerts",
    "thresholds",
    "enrollmentTokens",
    "enrolledMachines",
    "deletedAgents",
  ],
  alerting: [
    "outages",
    "channels",
    "channelFollows",
    "notificationRules",
    "alertPolicies",
    "messageTemplates",
    "mutes",
    "events",
    "deliveries",
    "escalations",
    "flappingTargets",
    "dependencies",
    "maintenanceWindows",
    "maintenanceHolds",
  ],
  "status-page": [
    "statusPages",
    "pageComponents",
    "pageDomains",
    "incidents",
    "incidentUpdates",
    "incidentPages",
    "incidentComponents",
    "incidentTexts",
    "subscribers",
    "announcements",
    "notices",
  ],
  wall: ["wallKeys"],
  reports: ["reportLinks", "reportSchedules"],
  transfer: ["imports"],
};

/** Tables that a module uses although they belong to another, with the reason. */
const foreignTables: { module: string; tables: string[]; reason: string }[] = [
  {
    module: "servers",
    tables: ["users", "teams", "mutes"],
    reason:
      "days of traffic are in the owner's time zone, a machine enrolls for a team, and the list joins the mute of each",
  },
  {
    module: "monitors",
    tables: ["users", "outages", "mutes", "imports"],
    reason:
      "a check runs by the role of its owner, the list joins the outage and the mute of each monitor, and a history may be imported",
  },
  {
    module: "alerting",
    tables: ["users", "members"],
    reason:
      "an alert is written in its owner's language, an administrator may use the built-in channel, and own channels of members follow a team",
  },
  {
    module: "transfer",
    tables: [
      ...["monitors", "channels", "alertPolicies", "agents", "thresholds", "maintenanceWindows"],
      ...["statusPages", "incidents"],
    ],
    reason: "an import finds what an earlier one created and was not deleted since",
  },
  {
    module: "dashboard",
    tables: ["users", "monitors", "agents", "channels", "notificationRules", "pageComponents", "incidents"],
    reason: "the checklist of a new user reads whether there is any of each, and open incidents are one tap away",
  },
  { module: "moving", tables: ["teams"], reason: "both teams are locked while something moves" },
  {
    module: "reports",
    tables: ["users"],
    reason: "an administrator may have reports sent to the built-in channel",
  },
  {
    module: "status-page",
    tables: ["users", "monitors", "agents", "outages"],
    reason:
      "an owner chooses monitors and servers by name and by tag, the page has the owner's language, and an incident may be about an outage",
  },
];

/** The values that a file imports from the schema. */
const schemaImports = ({ text }: Source): string[] =>
  [...text.matchAll(/^import \{([^}]*)\} from "[./]*db\/schema"/gm)].flatMap(([, names = ""]) =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && !name.startsWith("type "))
      .map((name) => name.split(" ")[0] ?? name),
  );

it("a module uses the tables of another module only where listed, and every exception is in use", () => {
  const owned = new Set(Object.values(tables).flat());
  const used = new Set<string>();
  const found = modules.flatMap((source) => {
    const module = moduleOf(source.path) ?? "";
    const foreign = schemaImports(source).filter((name) => owned.has(name) && !tables[module]?.includes(name));
    for (const name of foreign) used.add(`${module}: ${name}`);
    const allowed = foreignTables.find((entry) => entry.module === module)?.tables ?? [];
    return foreign.filter((name) => !allowed.includes(name)).map((name) => `${source.path}: ${name}`);
  });
  expect(found).toEqual([]);
  const listed = foreignTables.flatMap((entry) => entry.tables.map((name) => `${entry.module}: ${name}`));
  expect(listed.filter((entry) => !used.has(entry))).toEqual([]);
});

it("a module scopes rows to their team, viewer or user with ownedBy, visibleTo and ofUser only", () => {
  // A join of two tables is no scope.
  const OWN_CONDITION = /\beq\(\s*\w+\.(?:userId|teamId),(?!\s*(?:monitors|agents|users)\.)/;
  const BY_ROLE = /(?:role === "admin"|seesAll) \? undefined :\s+(?:eq|and|ownedBy)\(/;
  const found = modules.filter(({ text }) => OWN_CONDITION.test(text) || BY_ROLE.test(text));
  expect(found.map(({ path }) => path)).toEqual([]);
});
