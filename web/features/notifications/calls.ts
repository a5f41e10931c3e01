import { api, payload } from "../../api";
import { allPages } from "../../lib/all-pages";
import type { ChannelBody } from "./channels/channel-form";
import { toNotifications } from "./normalise";
import type { SettingBody } from "./rules/setting-body";

export type HistoryEvent = Awaited<ReturnType<typeof readHistory>>["events"][number];
export type Delivery = HistoryEvent["deliveries"][number];
export type Monitor = Awaited<ReturnType<typeof listMonitors>>["monitors"][number];
export type Agent = Awaited<ReturnType<typeof listAgents>>["agents"][number];

const channel = (id: number) => api.notifications.channels({ id });

export const readNotifications = async () => toNotifications((await payload(api.notifications.get())).data);

export const saveSetting = (body: SettingBody) => payload(api.notifications.settings.post(body));

export const createChannel = (body: ChannelBody) => payload(api.notifications.channels.post(body));

export const updateChannel = (id: number, body: ChannelBody) => payload(channel(id).put(body));

export const deleteChannel = (id: number) => payload(channel(id).delete());

/** The provider itself may take 10 s to answer, so this waits longer than calls usually do. */
const patient = () => ({ fetch: { signal: AbortSignal.timeout(20_000) } });

/** Tries what is in a form. With the id of a stored channel, masked secrets are the stored ones. */
export const testUnsaved = ({ type, config }: Pick<ChannelBody, "type" | "config">, id?: number) =>
  payload(api.notifications.channels.test.post({ ...(id !== undefined && { id }), type, config }, patient()));

export const testStored = (id: number) => payload(channel(id).test.post(undefined, patient()));

export const readHistory = (before?: number) =>
  payload(api.notifications.history.get({ query: { limit: 50, ...(before !== undefined && { before }) } }));

export const listMonitors = async () => {
  const page = (offset: number) => payload(api.monitors.get({ query: { history: 0, mine: "1", offset } }));
  const { first, items } = await allPages(page, ({ monitors }) => monitors);
  return { ...first, monitors: items };
};

export const listAgents = async () => {
  const page = (offset: number) => payload(api.agents.get({ query: { mine: "1", offset } }));
  const { first, items } = await allPages(page, ({ agents }) => agents);
  return { ...first, agents: items };
};
