import { STATUS_DAYS } from "../../../shared/status-page";
import type { Part } from "../operation";
import { flag, id, list, nullable, number, object, oneOf, ref, success, text, time, whole } from "../schema";
import { agentStatus } from "./agents";
import { monitorStatus, share } from "./monitor-schemas";

const shown = {
  title: text("The page's title.", "Acme"),
  description: text("What stands below it.", "How our services are doing."),
  logoUrl: text("An https address or a data: picture; empty for none.", ""),
};
const switches = {
  show_hostname: flag("Whether the page shows servers' hostnames.", false),
  show_os: flag("Whether it shows their operating systems.", false),
  show_version: flag("Whether it shows the versions of their systems.", false),
};
const cssDropped = list(
  text("Its beginning.", "background: url(https://example.com/x.png)"),
  "What is left out of the stylesheet because it could load or run something; at most 20 pieces.",
);
const customCss = text("Its own stylesheet.", ".hero { color: #204060; }");
const percent = (what: string, example: number) =>
  nullable(number(`${what}, in percent; null when that is not known.`, example));
const choice = {
  id: id("Its id.", 3),
  name: text("Its name.", "Payments API"),
  selected: flag("Whether the page shows it.", true),
};

export const status: Part = {
  tag: "Status page",
  description: "What everybody may see, and what its owner chose for it.",
  schemas: {
    PublicMonitor: object({
      id: id("The monitor's id.", 3),
      name: text("Its name.", "Payments API"),
      status: monitorStatus,
      response_time: nullable(number("Milliseconds that the last answer took.", 84.2)),
      uptime: share("The share of up checks over the last 30 days"),
      uptimes: ref("Uptimes"),
      last_checked: nullable(time("When it was checked last.")),
      history: list(
        object({ status: oneOf("What was found.", ["up", "down"]), timestamp: time("When.") }),
        "Its last 24 checks, oldest first.",
      ),
      days: list(
        object({
          date: text("The day (UTC).", "2026-01-15", { format: "date" }),
          up: whole("Checks that found it up.", 1440),
          down: whole("Checks that found it down.", 0),
        }),
        "The last 90 days, oldest first.",
      ),
    }),
    PublicAgent: object(
      {
        id: id("The agent's id.", 5),
        name: text("Its name.", "Database"),
        status: agentStatus,
        hostname: text("The machine's own name, where the owner shows it.", "db-1"),
        os: text("Its operating system, where the owner shows it.", "Debian GNU/Linux 12 (bookworm)"),
        version: text("The system's version, where the owner shows it.", "6.1.0"),
        cpu: percent("CPU", 12.5),
        memory: percent("Memory in use", 25),
        disk: percent("Disks in use", 50),
        network_rx: nullable(number("Received, in KB/s.", 8)),
        network_tx: nullable(number("Sent, in KB/s.", 2.5)),
      },
      ["hostname", "os", "version"],
    ),
  },
  operations: {
    "GET /api/status/data": {
      id: "getStatusPage",
      summary: "Read a status page",
      description: "Answers are at most five seconds old, and have an ETag.",
      access: "anybody",
      fields: { page: "The name of the page in its address; the first administrator's without it." },
      parameters: { page: "alice" },
      answer: [
        {
          description: "All that the page shows.",
          schema: success({
            data: object({
              ...shown,
              customCss,
              overall: nullable(
                oneOf("How all of it stands; null while nothing is chosen.", ["operational", "partial", "outage"]),
              ),
              updated_at: nullable(time("When anything on it last changed.")),
              monitors: list(ref("PublicMonitor")),
              agents: list(ref("PublicAgent")),
            }),
          }),
        },
        { status: 304, description: "Nothing has changed since the ETag that was sent as If-None-Match." },
      ],
      refusals: ["not_found", "unavailable"],
    },
    "GET /api/status/style.css": {
      id: "getStatusStyle",
      summary: "Read a status page's own stylesheet",
      description: "Cleaned of everything that loads or runs something.",
      access: "anybody",
      fields: { page: "The name of the page in its address; the first administrator's without it." },
      parameters: { page: "alice" },
      answer: [
        { type: "text/css", example: ".hero {\ncolor: #204060;\n}", description: "The stylesheet." },
        { status: 304, description: "Nothing has changed since the ETag that was sent as If-None-Match." },
      ],
      refusals: ["not_found", "unavailable"],
    },
    "GET /api/status/config": {
      id: "getStatusConfig",
      summary: "Read what one's own page is made of",
      description: "At most 1,000 monitors and servers are listed, chosen ones first.",
      access: "user",
      fields: { search: "List only those with this in their name or hostname." },
      answer: {
        description: "What is set, and what could be chosen.",
        schema: success({
          config: object({
            ...shown,
            customCss,
            ...switches,
            css_dropped: cssDropped,
            slug: text("The page's name in its address.", "alice"),
            path: text("Where the page is.", "/status"),
            published: flag("Whether it is there already: it is once it was saved.", true),
            monitors: list(object(choice)),
            agents: list(object({ ...choice, hostname: text("The machine's own name.", "db-1") })),
            monitors_total: whole("How many monitors there are, listed or not.", 1),
            agents_total: whole("How many servers there are, listed or not.", 1),
          }),
        }),
      },
    },
    "POST /api/status/config": {
      id: "saveStatusConfig",
      summary: "Publish one's own page",
      description: "What is left out stays as it was.",
      access: "user",
      fields: {
        title: "At most 200 characters.",
        description: "At most 2,000 characters.",
        logoUrl: "An https address, or a picture as a data: address.",
        logo_url: "The same as logoUrl.",
        customCss: "At most 64 KiB. What loads or runs something is left out.",
        custom_css: "The same as customCss.",
        monitors: "Ids of one's own monitors, in the order in which they are shown.",
        agents: "Ids of one's own servers, in the order in which they are shown.",
        show_hostname: "Whether servers' hostnames are shown.",
        showHostname: "The same as show_hostname.",
        show_os: "Whether servers' operating systems are shown.",
        showOs: "The same as show_os.",
        show_version: "Whether the versions of servers' systems are shown.",
        showVersion: "The same as show_version.",
      },
      body: {
        title: "Acme",
        description: "How our services are doing.",
        logoUrl: "",
        customCss: "",
        monitors: [],
        agents: [],
      },
      answer: {
        description: "The page is saved.",
        schema: success({ message: text("What was done.", "The status page is saved."), css_dropped: cssDropped }),
      },
      refusals: ["conflict"],
    },
    "GET /badge/{file}": {
      id: "getBadge",
      summary: "A badge of a monitor",
      description: "For monitors that a status page shows.",
      access: "anybody",
      fields: {
        file: "The monitor's id with `.svg`.",
        type: "`status` unless said.",
        days: `How many days the uptime is of: 1 to ${STATUS_DAYS}, 30 unless said.`,
      },
      parameters: { file: "1.svg", type: "uptime" },
      answer: { type: "image/svg+xml", example: "<svg …>", description: "The picture." },
      refusals: ["invalid_id", "not_found"],
    },
  },
};
