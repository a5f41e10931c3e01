import { api, payload } from "../../../api";
import { resource, resourceFamily } from "../../../lib/resource";

const listPages = async () => (await payload(api.pages.get())).pages;
export type PageSummary = Awaited<ReturnType<typeof listPages>>[number];

/** The status pages of the team. */
export const pagesAtom = resource(listPages);

const readPage = async (id: number) => (await payload(api.pages({ id }).get())).page;
export type StatusPage = Awaited<ReturnType<typeof readPage>>;
export type Component = StatusPage["components"][number];

/** Loaded when the screen opens and, in effect, not polled, so that edits are not replaced. */
export const pageAtom = resourceFamily((id: number) => readPage(id), { every: 86_400_000 });

export const createPage = async (body: { slug: string; title: string }) => (await payload(api.pages.post(body))).page;

type PageBody = Parameters<ReturnType<typeof api.pages>["put"]>[0];
export const savePage = async (id: number, body: PageBody) => (await payload(api.pages({ id }).put(body))).page;

/** The public page with an unsaved change. */
export const previewPage = async (id: number, body: PageBody) =>
  (await payload(api.pages({ id }).preview.post(body))).data;

export const createKey = async (id: number) => (await payload(api.pages({ id }).key.post())).key;
export const revokeKey = (id: number) => payload(api.pages({ id }).key.delete());

export const deletePage = (id: number) => payload(api.pages({ id }).delete());
