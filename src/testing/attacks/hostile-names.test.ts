/** Names that try to leave the place of a name, in alerts to every kind of channel. */
import { expect, it } from "bun:test";
import { addChannel, createAlertApp, recordDown, runDeliveries, saveRule } from "../fixtures/alerts";
import { addMonitor } from "../fixtures/monitors";
import { PROVIDERS } from "../servers/every-provider";
import { serveTarget } from "../servers/targets";

const HARMLESS = "Shop";
const NAMES = [
  "<script>INJECTED()</script>",
  "</text></svg><svg onload=INJECTED()>",
  "]]><item>INJECTED</item>",
  "<!channel> <@U1> @everyone @here",
  "[INJECTED](javascript:alert(1))",
  "*a* _b_ ~c~ `d` ||e|| # f > g",
  "Shop\r\nINJECTED: 1",
  "Shop\nINJECTED 1",
  "Shop\u2028INJECTED\u2029INJECTED\u0085INJECTED",
  "Shop\r\nBcc: INJECTED@example.com\r\n\r\nINJECTED",
  '"},"INJECTED":"',
  '\\", \\u0022INJECTED',
  "{{name}} {{#lines}}INJECTED{{/lines}} %name%",
  "Shop\u0007INJECTED\u001b[2J",
  "\u202egpj.INJECTED\u2066\u200f",
  "'; drop table monitors; --",
  '" onmouseover="INJECTED()',
  'Shop",status="up"} 1\nINJECTED{name="',
];

it("a name stays one line of text in alerts to every kind of channel, and each provider takes the request", async () => {
  const providers = Object.entries(PROVIDERS).map(([kind, start]) => ({ kind, provider: start() }));
  const origins = providers.flatMap(({ provider }) => provider.origins || []).join(",");
  const { app, bob, delivery } = await createAlertApp({
    env: { PRIVATE_TARGETS: "all", PROVIDER_ORIGINS: origins, QUOTA_CHANNELS: "100" },
  });
  const hook = serveTarget();
  const channels = [await addChannel(app, bob, { name: "webhook", type: "webhook", config: { url: hook.url } })];
  for (const { kind, provider } of providers)
    channels.push(await addChannel(app, bob, { name: kind, type: kind, config: provider.config }));
  await saveRule(app, bob, { target_type: "global-monitor", on_down: true, channels });
  for (const name of [HARMLESS, ...NAMES])
    await recordDown(app, await addMonitor(app, bob, { url: "https://shop.example/", name }));
  await runDeliveries(app, delivery);
  const linesOf = (text: string) => text.trim().split(/[\r\n\u2028\u2029\u0085]+/).length;
  for (const { kind, provider } of providers) {
    const [harmless = "", ...hostile] = provider.shown;
    expect([kind, ...hostile.map(linesOf)]).toEqual([kind, ...NAMES.map(() => linesOf(harmless))]);
  }
  const [harmless = [], ...hostile] = hook.requests.map(({ body }) => Object.keys(JSON.parse(body)));
  expect(hostile).toEqual(NAMES.map(() => harmless));
});
