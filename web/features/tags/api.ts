import type { TagColour } from "../../../src/shared/tags";
import { api, payload } from "../../api";
import { resource } from "../../lib/resource";

export type OwnTag = Awaited<ReturnType<typeof listTags>>["tags"][number];

const listTags = () => payload(api.tags.get());

/** The viewer's own tags, by name. */
export const tagsAtom = resource(listTags);

export const updateTag = (id: number, change: { name?: string; color?: TagColour }) =>
  payload(api.tags({ id }).put(change));

export const deleteTag = (id: number) => payload(api.tags({ id }).delete());
