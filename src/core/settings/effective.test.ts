import { expect, it } from "bun:test";
import { readConfig } from "../config";
import { effectiveSettings } from "./effective";
import { SETTINGS } from "./list";

const valuesOf = (env: Record<string, string>) =>
  Object.fromEntries(effectiveSettings(readConfig(env)).map(({ name, value }) => [name, value]));

it("every setting has the value in effect: its default, or what the environment says", () => {
  const defaults = valuesOf({});
  const aliases = ["WAKEFUL_HOST", "WAKEFUL_PORT"];
  expect(Object.keys(defaults)).toEqual(SETTINGS.flatMap(({ name }) => (aliases.includes(name) ? [] : [name])));
  for (const { name, fallback } of SETTINGS)
    if (fallback && !fallback.includes(" ")) expect([name, defaults[name]]).toEqual([name, fallback]);
  const env = {
    TRUST_PROXY: "true",
    TRUSTED_PROXIES: "10.0.0.1,10.1.0.0/16",
    CONNECTIVITY_TARGET: "1.1.1.1:53",
    RETENTION_CHECK_DAYS: "30",
    QUOTA_CHECKS_PER_HOST: "7",
    ADMIN_USERNAME: "alice",
    ADMIN_PASSWORD: "a staple and more",
    LINK_BLOG: "",
    SECURITY_CONTACT: "mailto:security@example.com",
  };
  expect(valuesOf({ ...env, WAKEFUL_PORT: "9000" })).toMatchObject({
    ...env,
    PORT: "9000",
    TRUST_PROXY: "1",
    TRUSTED_PROXIES: "10.0.0.1, 10.1.0.0/16",
    ADMIN_PASSWORD: null,
  });
});

it("secrets are only set or not, and addresses have no passwords", () => {
  const secret = "hunter2-hunter2-hunter2-hunter2-hunter2";
  const env = {
    DATABASE_URL: `postgres://bob:${secret}@db/wakeful`,
    LISTEN_DATABASE_URL: `postgres://bob:${secret}@db/wakeful`,
    ADMIN_USERNAME: "alice",
    ADMIN_PASSWORD: secret,
    JWT_SECRET: secret,
    HEARTBEAT_URL: `https://watch.example/ping/${secret}`,
    TELEGRAM_BOT_TOKEN: `123:${"hunter2-".repeat(5)}`,
    TELEGRAM_CHAT_ID: "1",
    METRICS_TOKEN: secret,
    TELEGRAM_API_URL: `https://bob:${secret}@api.example`,
    RELEASE_URL: `https://releases.example/?key=${secret}`,
    PROVIDER_ORIGINS: `https://a.example=https://bob:${secret}@b.example`,
  };
  const settings = effectiveSettings(readConfig(env));
  expect(JSON.stringify(settings)).not.toInclude("hunter2");
  const set = (config: typeof settings) => config.filter(({ isSecret, isSet }) => isSecret && isSet).length;
  expect([set(settings), set(effectiveSettings(readConfig({})))]).toEqual([7, 0]);
});
