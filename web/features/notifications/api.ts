import type { Language } from "../../../src/shared/language";
import { type EventKind, TARGET_TYPES, type TargetType } from "../../../src/shared/notifications";
import { api, payload } from "../../api";
import { allPages, resource, resourceFamily } from "../../lib/resource";
import { type PolicyBody, toPolicy } from "./policies/policy";
import { toSettings } from "./rules/drafts";

export type Notifications = Awaited<ReturnType<typeof readNotifications>>;
export type Channel = Notifications["channels"][number];
export type Template = Notifications["templates"][number];
export type OwnTemplate = Notifications["own_templates"][number];

/** A channel as the API takes it. */
export type ChannelBody = { name: string; type: string; enabled: boolean; config: string };

/** A template as the API takes it. */
type TemplateBody = { title: string; body: string; event: EventKind | null; channel_id: number | null };

const templateRoute = (id: number) => api.notifications.templates({ id });

export const createTemplate = (body: TemplateBody) => payload(api.notifications.templates.post(body));

export const updateTemplate = (id: number, { title, body }: TemplateBody, version?: string) =>
  payload(templateRoute(id).put({ title, body, ...(version !== undefined && { version }) }));

export const deleteTemplate = (id: number) => payload(templateRoute(id).delete());

type PreviewBody = { title: string; body: string; event: EventKind | null; language: Language };

/** The message of an example event by a template; without an event, of a monitor that is down. */
export const previewTemplate = (body: PreviewBody) => payload(api.notifications.templates.preview.post(body));

const channelRoute = (id: number) => api.notifications.channels({ id });

const readNotifications = async () => {
  const { data } = await payload(api.notifications.get({ query: { specific: "0" } }));
  return { ...data, policies: data.policies.map(toPolicy), settings: toSettings(data.settings) };
};

/** Saves the given fields of a rule; with a version, unless another one was stored since. */
export const saveSetting = (body: Parameters<typeof api.notifications.settings.post>[0]) =>
  payload(api.notifications.settings.post(body));

export const createChannel = (body: ChannelBody) => payload(api.notifications.channels.post(body));

export const updateChannel = (id: number, body: ChannelBody) => payload(channelRoute(id).put(body));

export const deleteChannel = (id: number) => payload(channelRoute(id).delete());

export const createPolicy = (body: PolicyBody) => payload(api.notifications.policies.post(body));

export const updatePolicy = (id: number, body: PolicyBody & { version?: string }) =>
  payload(api.notifications.policies({ id }).put(body));

export const deletePolicy = (id: number) => payload(api.notifications.policies({ id }).delete());

/** The provider may take 10 s to answer, so the timeout is longer than for other calls. */
const providerTimeout = () => ({ fetch: { signal: AbortSignal.timeout(20_000) } });

/** Sends a test message with the content of a form. With the id of a stored channel, masked secrets are the stored ones. */
export const testUnsaved = ({ type, config }: Pick<ChannelBody, "type" | "config">, id?: number) =>
  payload(api.notifications.channels.test.post({ ...(id !== undefined && { id }), type, config }, providerTimeout()));

/** Sends a test message through a stored channel. */
export const testStored = (id: number) => payload(channelRoute(id).test.post(undefined, providerTimeout()));

/** Which monitors and servers with settings of their own are listed. */
export type ExceptionFilter = { of: TargetType | undefined; search: string };
export type Exception = Awaited<ReturnType<typeof readExceptions>>["exceptions"][number];

/** The key of a filter. */
export const keyOfFilter = ({ of, search }: ExceptionFilter): string => `${of ?? "all"} ${search}`;

/** A page of the monitors and servers with settings of their own, by name. */
export const readExceptions = ({ of, search }: ExceptionFilter, offset = 0) =>
  payload(api.notifications.exceptions.get({ query: { ...(of && { of }), ...(search && { search }), offset } }));

/** The first page of the exceptions that a filter selects. */
export const exceptionsAtom = resourceFamily((key: string) => {
  const [of = "", ...search] = key.split(" ");
  return readExceptions({ of: TARGET_TYPES.find((type) => type === of), search: search.join(" ") });
});

/** The viewer's own agents. */
const listServers = async () => {
  const page = (offset: number) => payload(api.agents.get({ query: { mine: "1", offset } }));
  const { first, items } = await allPages(page, ({ agents }) => agents);
  return { ...first, agents: items };
};

export const notificationsAtom = resource(readNotifications);

export const serversAtom = resource(listServers);
