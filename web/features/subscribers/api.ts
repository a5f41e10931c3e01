import { api, payload } from "../../api";
import { resource, resourceFamily } from "../../lib/resource";
import { searchQuery } from "../../ui/lists/paging";

/** The status pages of the team. */
export const pagesAtom = resource(async () => (await payload(api.pages.get())).pages);

/** Subscribers that are listed at first, and more of them each time. */
export const LISTED = 50;
/** The most that one call answers. */
const MAX = 200;

/** A part of a list: the page, how many, and the search. */
export type Wanted = { page: number; count: number; search: string };
const keyOf = ({ page, count, search }: Wanted): string => JSON.stringify([page, count, search]);

const readSubscribers = async (key: string) => {
  const [page, count, search] = JSON.parse(key) as [number, number, string];
  const read = (offset: number) =>
    payload(
      api.pages({ id: page }).subscribers.get({
        query: { ...searchQuery(search), limit: Math.min(MAX, count - offset), offset },
      }),
    );
  const first = await read(0);
  const subscribers = [...first.subscribers];
  while (subscribers.length < Math.min(count, first.total)) {
    const more = await read(subscribers.length);
    if (more.subscribers.length === 0) break;
    subscribers.push(...more.subscribers);
  }
  return { ...first, subscribers };
};

const family = resourceFamily(readSubscribers);
/** Subscribers of a page, the latest first. */
export const subscribersAtom = (wanted: Wanted) => family(keyOf(wanted));
export type Subscribers = Awaited<ReturnType<typeof readSubscribers>>;
export type Subscriber = Subscribers["subscribers"][number];

export const deleteSubscriber = (page: number, id: number) =>
  payload(api.pages({ id: page }).subscribers({ subscriber: id }).delete());

/** All subscribers of a page as CSV. */
export const readExport = async (page: number): Promise<string> =>
  String(await payload(api.pages({ id: page }).subscribers.export.get()));
