import { Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import { AppError } from "../../core/errors";
import { idParams } from "../../server/schema";
import { signedIn } from "../auth/guard";
import { recordUserAction } from "../auth/security-log";
import { channelForms } from "./channels/registry";
import { deleteChannel, findChannel, listChannels, saveChannel, testStored, testUnsaved } from "./channels/service";
import { linkBase } from "./delivery/deliver";
import { readEvents } from "./history";
import { listTemplates } from "./messages/templates";
import { channelModel, historyQuery, settingModel, testParams, trialModel } from "./model";
import { readSettings, saveSetting } from "./rules/service";

const success = true as const;

export const notificationRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/notifications" })
    .use(signedIn(deps))
    .get("/", async ({ user, reads }) => ({
      success,
      data: {
        channels: await listChannels(deps, user, reads),
        kinds: channelForms(),
        templates: listTemplates(deps.clock.now(), await linkBase(deps)),
        settings: await readSettings(deps, user),
      },
    }))
    .get("/history", async ({ user, query }) => ({ success, ...(await readEvents(deps, user.id, query)) }), {
      query: historyQuery,
    })
    .post(
      "/settings",
      async ({ user, body }) => {
        await saveSetting(deps, user, body);
        return { success };
      },
      { body: settingModel },
    )
    .post(
      "/channels",
      async ({ user, byKey, body, status, request, server }) => {
        if (byKey) throw new AppError("session_required");
        const id = await saveChannel(deps, user, body);
        await recordUserAction(deps, { user, request, server }, "channel_created", body.name);
        return status(201, { success, message: "The channel is saved.", data: { id } });
      },
      { body: channelModel },
    )
    .post(
      "/channels/test",
      async ({ user, byKey, body }) => {
        // It sends to any address, with the stored secrets of a channel of which it knows only the mask.
        if (byKey) throw new AppError("session_required");
        return { success, message: await testUnsaved(deps, user, body) };
      },
      { body: trialModel },
    )
    .post(
      "/channels/:id/test",
      async ({ user, params }) => ({ success, message: await testStored(deps, user, params.id) }),
      { params: testParams },
    )
    .guard({ params: idParams })
    .put(
      "/channels/:id",
      async ({ user, byKey, params, body }) => {
        if (byKey) throw new AppError("session_required");
        await saveChannel(deps, user, body, await findChannel(deps, user, params.id));
        return { success, message: "The channel is saved." };
      },
      { body: channelModel },
    )
    .delete("/channels/:id", async ({ user, byKey, params, request, server }) => {
      if (byKey) throw new AppError("session_required");
      const channel = await findChannel(deps, user, params.id);
      await deleteChannel(deps, channel);
      await recordUserAction(deps, { user, request, server }, "channel_deleted", channel.name);
      return { success };
    });
