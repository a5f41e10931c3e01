import { expect, it } from "bun:test";
import { readSources, type Source } from "../sources";

const moduleOf = (path: string) => /^src\/modules\/([^/]+)\//.exec(path)?.[1];
const modules = readSources("src/modules").filter(({ path }) => !/\.test\.ts$/.test(path));

/** The tables of each module. Those of no module are common: settings, instances, and lists of what is to be purged. */
const tables: Record<string, string[]> = {
  users: ["users"],
  auth: ["users", "apiKeys", "sessions", "securityLog", "trustedClients", "loginFailures"],
  monitors: [
    "monitors",
    "monitorStates",
    "monitorPauses",
    "recentChecks",
    "checkBlocks",
    "checkHours",
    "checkDays",
    "certificateAlerts",
  ],
  heartbeats: ["heartbeats", "pings"],
  tags: ["tags", "targetTags"],
  agents: [
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
    "deletedAgents",
  ],
  notifications: [
    "channels",
    "notificationRules",
    "alertPolicies",
    "messageTemplates",
    "mutes",
    "events",
    "deliveries",
    "escalations",
    "flappingTargets",
    "dependencies",
  ],
  outages: ["outages"],
  "status-page": ["statusPages"],
};

/** Tables that a module uses although they belong to another, with the reason. */
const foreignTables: { module: string; tables: string[]; reason: string }[] = [
  {
    module: "agents",
    tables: ["users", "events", "outages", "mutes"],
    reason:
      "days of traffic are those of the owner's time zone, threshold alerts continue the last event of a server, and the list joins the outage and the mute of each",
  },
  {
    module: "heartbeats",
    tables: ["monitors", "monitorStates"],
    reason: "the state of a heartbeat changes with its pings",
  },
  {
    module: "metrics",
    tables: ["agents", "agentStates", "monitors", "monitorStates", "events", "deliveries"],
    reason: "gauges are counted in one query for each table",
  },
  {
    module: "monitors",
    tables: ["users", "outages", "mutes"],
    reason: "a check runs by the role of its owner, and the list joins the outage and the mute of each monitor",
  },
  {
    module: "notifications",
    tables: ["users", "monitors", "agents", "outages", "monitorStates", "recentChecks", "agentStates"],
    reason:
      "an alert carries its target's name and the reason of the last check, and is written in its owner's language, a mute ends with an outage, and an alert waits for the last check or report of what its target depends on",
  },
  {
    module: "outages",
    tables: ["monitors", "monitorStates", "recentChecks", "agents", "agentStates", "events", "mutes"],
    reason:
      "an outage shows the name of its target, and a problem its mute, the reason of the last check and the figures that caused it",
  },
  {
    module: "quotas",
    tables: ["users", "monitors", "agents", "enrollmentTokens", "channels", "apiKeys"],
    reason: "rows are counted in the statement that adds one",
  },
  {
    module: "status-page",
    tables: ["users", "monitors", "monitorStates", "recentChecks", "agents", "agentStates", "outages"],
    reason: "a page is read in one query for each table, without what its visitors must not see",
  },
  {
    module: "tags",
    tables: ["users"],
    reason: "the number of a user's tags is limited under the lock of their account",
  },
  { module: "transfer", tables: ["users"], reason: "an import holds the lock and checks the role of its owner" },
  { module: "users", tables: ["monitors", "agents", "channels"], reason: "counts of what a deletion deletes" },
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

it("a module scopes rows to their owner or viewer with ownedBy and visibleTo only", () => {
  // A join of two tables is no scope.
  const OWN_CONDITION = /\beq\(\s*\w+\.userId,(?!\s*(?:monitors|agents|users)\.)/;
  const BY_ROLE = /role === "admin" \? undefined :\s+(?:eq|and|ownedBy)\(/;
  const found = modules.filter(({ text }) => OWN_CONDITION.test(text) || BY_ROLE.test(text));
  expect(found.map(({ path }) => path)).toEqual([]);
});
