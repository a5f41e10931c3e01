import { expect, test } from "bun:test";
import { telegramChannel, wire } from "./fixtures";
import { toNotifications } from "./normalise";

test("flags of 0 and 1 become booleans, and a configuration in JSON becomes an object", () => {
  const { channels, templates, settings } = toNotifications(
    wire(
      {
        channels: [{ ...telegramChannel, enabled: 0, default: 1, config: '{"botToken":"••••wxyz","chatId":"7"}' }],
        templates: [
          { id: 1, name: "down", type: "en-US", subject: "s", content: "c", is_default: 1, title: "s", body: "c" },
        ],
      },
      { monitors: { enabled: 1, onDown: 0, onRecovery: 1, channels: [1] } },
    ),
  );
  expect(channels[0]).toEqual({
    id: 1,
    name: "On-call",
    type: "telegram",
    config: { botToken: "••••wxyz", chatId: "7" },
    enabled: false,
    isDefault: true,
    problem: null,
  });
  expect(templates[0]?.isDefault).toBe(true);
  expect(settings["global-monitor"]).toMatchObject({ enabled: true, onDown: false, onRecovery: true, channels: [1] });
});

test("a configuration that is not a JSON object is empty", () => {
  for (const config of ["{", "null", "7"]) {
    expect(toNotifications(wire({ channels: [{ ...telegramChannel, config }] })).channels[0]?.config).toEqual({});
  }
});

test("missing thresholds have their default values", () => {
  const { settings } = toNotifications(wire({}, { agents: { enabled: 1 } }));
  expect(settings["global-agent"]).toMatchObject({ cpuThreshold: 90, memoryThreshold: 85, diskThreshold: 90 });
});

test("specific settings are keyed by kind and id", () => {
  const own = { overrideGlobal: 1, enabled: 1 } as const;
  const { settings } = toNotifications(wire({}, { specificMonitors: { 3: own }, specificAgents: { 4: own } }));
  expect(Object.keys(settings)).toEqual(["global-monitor", "global-agent", "monitor:3", "agent:4"]);
  expect(settings["agent:4"]).toMatchObject({ overrideGlobal: true, enabled: true, onOffline: true });
});

test("deleted channels are removed from a rule, and the built-in channel with the id 0 stays", () => {
  const { settings } = toNotifications(
    wire({ channels: [{ ...telegramChannel, id: 0 }] }, { monitors: { channels: [0, 1, 9] } }),
  );
  expect(settings["global-monitor"].channels).toEqual([0]);
});
