import { ExportedMonitor } from "../../monitors/present";
import { channelTypes } from "../../notifications/channels/registry";
import { type RawSchema, toJsonSchema } from "../json-schema";
import type { Part } from "../operation";
import { flag, id, list, map, object, oneOf, ref, success, text, time, whole } from "../schema";

const chosen = (what: string) => list(id(`The ${what}'s id in the file.`, 3), `Which ${what}s it shows.`);

const file = object(
  {
    format: oneOf("Always this.", ["wakeful-configuration"]),
    version: whole("Of the format.", 1),
    exported_at: time("When."),
    monitors: list(toJsonSchema(ExportedMonitor as RawSchema, {})),
    agents: list(
      object({
        id: id("Its id in the file.", 5),
        name: text("Its name.", "Database"),
        hostname: text("The machine's own name.", "db-1"),
      }),
      "Servers, which are told apart by their hostnames. They are not made by an import.",
    ),
    channels: list(
      object({
        id: id("Its id in the file.", 2),
        name: text("Its name.", "On call"),
        type: oneOf("What kind it is.", channelTypes()),
        enabled: flag("Whether it is used.", true),
        config: map(text("A field of it.", "-100123456"), "How to reach it, without its secret.", "chatId"),
      }),
    ),
    notifications: ref("Settings"),
    status_page: object({
      title: text("The page's title.", "Acme"),
      description: text("What stands below it.", "How our services are doing."),
      logoUrl: text("An https address or a data: picture; empty for none.", ""),
      customCss: text("Its own stylesheet.", ""),
      monitors: chosen("monitor"),
      agents: chosen("agent"),
      show_hostname: flag("Whether the page shows servers' hostnames.", false),
      show_os: flag("Whether it shows their operating systems.", false),
      show_version: flag("Whether it shows the versions of their systems.", false),
    }),
  },
  ["status_page"],
);

const counts = (what: string, example: number) =>
  object(
    Object.fromEntries(
      ["monitors", "channels", "settings", "status_page"].map((part) => [
        part,
        whole(`How many ${what}: ${part}.`, example),
      ]),
    ),
  );

const fields = {
  format: "Always `wakeful-configuration`.",
  version: "1.",
  exported_at: "Not looked at.",
  monitors: "Those that are not there in the same form already are made.",
  agents: "Servers that the rest speaks of; they are found by their hostnames.",
  channels: "Without its secret a channel arrives switched off.",
  notifications: "What is set already stays.",
  status_page: "A page that was saved already stays.",
};

export const transfer: Part = {
  tag: "Export and import",
  description:
    "One's own configuration as a file: monitors, channels without their secrets, alert settings and the status page. History is not in it.",
  schemas: {},
  operations: {
    "GET /api/export": {
      id: "exportConfiguration",
      summary: "Export one's configuration",
      description: "Headers and bodies of monitors are in it as they are, so keep it as you keep them.",
      access: "user",
      answer: { description: "The file.", schema: file },
      refusals: ["read_only_key"],
    },
    "POST /api/import": {
      id: "importConfiguration",
      summary: "Import a configuration",
      description:
        "All of it or nothing. It adds what is missing and changes nothing that is there, so importing a file again does nothing. Ids in the file tie its parts together; what is made gets ids of its own.",
      access: "user",
      fields,
      body: {
        format: "wakeful-configuration",
        version: 1,
        monitors: [{ id: 3, name: "Payments API", url: "https://api.example.com/health", interval: 60 }],
        status_page: { title: "Acme", monitors: [3] },
      },
      answer: {
        description: "It is imported.",
        schema: success({
          message: text("What was done.", "The configuration is imported."),
          created: counts("were made", 1),
          skipped: counts("were there already", 0),
          notes: list(
            object({
              path: text("Where in the file.", "channels.0"),
              code: oneOf("What is to be known.", ["secret_missing", "server_missing", "built_in_missing", "kept"]),
              message: text("It in a sentence.", 'channels.0: "On call" is switched off until its secret is entered'),
            }),
            "What a person should know.",
          ),
        }),
      },
      refusals: ["session_required", "conflict", "quota_reached"],
    },
  },
};
