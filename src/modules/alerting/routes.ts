import { Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import { AppError } from "../../core/errors";
import { TRIALS_PER_MINUTE } from "../../core/trials";
import { describe, id, integer, list, nullable, object, ok, text } from "../../server/answers";
import { idParam } from "../../server/schema";
import { signedIn } from "../accounts/guard";
import { ChannelKindForm, channelForms } from "./channels/registry";
import {
  Channel,
  deleteChannel,
  findChannel,
  listChannels,
  saveChannel,
  testStored,
  testUnsaved,
} from "./channels/service";
import { AlertException, listExceptions } from "./effective/exceptions";
import { Defaults, readDefaults } from "./effective/service";
import { followRoutes } from "./follows/routes";
import { AlertEvent, readEvents } from "./history/events";
import { linkBase } from "./messages/message";
import {
  channelModel,
  exceptionsQuery,
  historyQuery,
  settingModel,
  settingsQuery,
  testParams,
  trialModel,
} from "./model";
import { policyRoutes } from "./policies/routes";
import { listPolicies, Policy } from "./policies/service";
import { Settings } from "./rules/present";
import { readSettings, saveSetting } from "./rules/service";
import { listTemplates, Template } from "./templates/built-in";
import { OwnTemplate } from "./templates/model";
import { templateRoutes } from "./templates/routes";
import { listOwnTemplates } from "./templates/service";

const success = true as const;

const TEST_LIMITS = `Probes and test messages of a user are limited to ${TRIALS_PER_MINUTE} in a minute. A user other than an administrator has two test messages under way, and sends one a second to a host.`;
const saved = text("A confirmation.", "The channel is saved.");
const testAnswer = {
  description: "The message was sent.",
  schema: ok({ message: text("The provider's answer.", "ok") }),
};

const settingRoutes = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .get(
      "/",
      async ({ user, query }) => ({
        success,
        data: {
          channels: await listChannels(deps, user),
          kinds: channelForms(user.role),
          templates: listTemplates(deps.clock.now(), await linkBase(deps), user.timeZone),
          policies: await listPolicies(deps, user),
          own_templates: await listOwnTemplates(deps, user),
          settings: await readSettings(deps, user, { specific: query.specific === undefined }),
          defaults: await readDefaults(deps, user),
        },
      }),
      {
        query: settingsQuery,
        detail: describe({
          id: "getNotifications",
          summary: "Get channels and notification settings",
          description: "Your own, with message templates and alert policies. Secrets are masked.",
          access: "user",
          answer: {
            description: "Channels, the kinds of channels, message templates, alert policies and settings.",
            schema: ok({
              data: object({
                channels: list(Channel),
                kinds: list(ChannelKindForm, "The kinds of channels, with the fields of their config."),
                policies: list(Policy),
                templates: list(Template, "The built-in messages, with example events."),
                own_templates: list(OwnTemplate, "The templates that you have written."),
                settings: Settings,
                defaults: Defaults,
              }),
            }),
          },
        }),
      },
    )
    .get("/exceptions", async ({ user, query }) => ({ success, ...(await listExceptions(deps, user, query)) }), {
      query: exceptionsQuery,
      detail: describe({
        id: "listAlertExceptions",
        summary: "List monitors and servers with alert settings of their own",
        description: "Your own that do not follow the settings for all, or are critical, by name.",
        access: "user",
        answer: {
          description: "A page of them, each with how its alerts are sent.",
          schema: ok({ exceptions: list(AlertException), total: integer("How many match on all pages.", 2) }),
        },
      }),
    })
    .get("/history", async ({ user, query }) => ({ success, ...(await readEvents(deps, user.teamId, query)) }), {
      query: historyQuery,
      detail: describe({
        id: "listEvents",
        summary: "List notification history",
        description: "Your own: what happened, and what became of each message about it.",
        access: "user",
        answer: {
          description: "A page of events with their notifications, newest first.",
          schema: ok({
            events: list(AlertEvent),
            next: nullable(integer("`before` of the next page; null on the last one.", 21)),
            as_of: nullable(integer("By outage: `as_of` of the next page.", 40), null),
          }),
        },
      }),
    })
    .post(
      "/settings",
      async ({ user, body }) => {
        await saveSetting(deps, user, body);
        return { success };
      },
      {
        body: settingModel,
        detail: describe({
          id: "saveSetting",
          summary: "Update notification settings",
          description: "Fields that are left out keep their values. Flags may also be 0 or 1.",
          access: "user",
          answer: { description: "The settings were saved.", schema: ok() },
          refusals: ["not_found", "rule_changed"],
        }),
      },
    );

const testRoutes = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .post(
      "/channels/test",
      async ({ user, byKey, body }) => {
        // It sends stored secrets, which the caller knows only masked, to any address.
        if (byKey) throw new AppError("session_required");
        return { success, message: await testUnsaved(deps, user, body) };
      },
      {
        body: trialModel,
        detail: describe({
          id: "testUnsavedChannel",
          summary: "Send a test message without saving",
          description: TEST_LIMITS,
          access: "session",
          answer: testAnswer,
          refusals: ["not_found", "test_too_soon", "rate_limited", "provider_refused", "hub_unavailable"],
        }),
      },
    )
    .post(
      "/channels/:id/test",
      async ({ user, params }) => ({ success, message: await testStored(deps, user, params.id) }),
      {
        params: testParams,
        detail: describe({
          id: "testChannel",
          summary: "Send a test message",
          description: TEST_LIMITS,
          access: "user",
          answer: testAnswer,
          refusals: ["test_too_soon", "rate_limited", "provider_refused", "hub_unavailable"],
        }),
      },
    );

const channelRoutes = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .post(
      "/channels",
      async ({ user, body, status }) => {
        const id = await saveChannel(deps, user, body);
        return status(201, { success, message: "The channel is saved.", data: { id } });
      },
      {
        body: channelModel,
        detail: describe({
          id: "createChannel",
          summary: "Create a channel",
          description: "It sends nothing until notification settings or a policy name it.",
          access: "user",
          answer: {
            status: 201,
            description: "The channel was created.",
            schema: ok({ message: saved, data: object({ id: id("The channel's id.", 2) }) }),
          },
          refusals: ["quota_reached"],
        }),
      },
    )
    .guard({ params: idParam("The channel's id.") })
    .put(
      "/channels/:id",
      async ({ user, params, body }) => {
        await saveChannel(deps, user, body, await findChannel(deps, user, params.id));
        return { success, message: "The channel is saved." };
      },
      {
        body: channelModel,
        detail: describe({
          id: "updateChannel",
          summary: "Update a channel",
          description: "Masked secrets, as the list of channels shows them, keep their stored values.",
          access: "user",
          answer: { description: "The channel was updated.", schema: ok({ message: saved }) },
        }),
      },
    )
    .delete(
      "/channels/:id",
      async ({ user, params }) => {
        await deleteChannel(deps, await findChannel(deps, user, params.id), user);
        return { success };
      },
      {
        detail: describe({
          id: "deleteChannel",
          summary: "Delete a channel",
          description: "Its pending notifications end.",
          access: "user",
          answer: { description: "The channel was deleted.", schema: ok() },
        }),
      },
    );

export const notificationRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/notifications", tags: ["Alerts"] })
    .use(settingRoutes(deps))
    .use(testRoutes(deps))
    .use(channelRoutes(deps))
    .use(policyRoutes(deps))
    .use(followRoutes(deps))
    .use(templateRoutes(deps));
