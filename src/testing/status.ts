import type { StatusData } from "../modules/status-page/publish";
import type { readConfig } from "../modules/status-page/service";
import type { TestApp } from "./app";
import type { TestUser } from "./people";

export type StatusConfig = Awaited<ReturnType<typeof readConfig>>;

/** Saves a user's page, and fails when it is refused. */
export const publish = async (app: TestApp, owner: TestUser, page: object): Promise<void> => {
  const { status, text } = await app.as(owner).post("/api/status/config", page);
  if (status !== 200) throw new Error(`the page was not saved: ${status} ${text}`);
};

export const readStatusConfig = async (app: TestApp, owner: TestUser): Promise<StatusConfig> =>
  JSON.parse((await app.as(owner).get("/api/status/config")).text).config;

/** What everybody sees under a slug, or without one. */
export const readStatusData = async ({ anybody }: TestApp, slug?: string): Promise<StatusData> =>
  JSON.parse((await anybody.get(`/api/status/data${slug ? `?page=${encodeURIComponent(slug)}` : ""}`)).text).data;
