import { expect, test } from "bun:test";
import { wire } from "../fixtures";
import { toNotifications } from "../normalise";
import { changedKeys, type Drafts, draftOf, edit, invalidKeys, withoutSaved } from "./drafts";

const { settings } = toNotifications(wire({}, { monitors: { channels: [1] } }));

test("an edit lies over what is stored and leaves the rest to refreshes", () => {
  const drafts = edit({}, "global-monitor", "", { onDown: false });
  const fresh = { ...settings, "global-monitor": { ...settings["global-monitor"], enabled: true } };
  expect(draftOf(fresh, drafts, "global-monitor")).toMatchObject({ enabled: true, onDown: false });
});

test("what was changed back is not changed", () => {
  const drafts = edit(edit({}, "global-agent", "", { onOffline: false }), "monitor:3", "Shop", { enabled: true });
  expect(changedKeys(settings, drafts)).toEqual(["global-agent", "monitor:3"]);
  const back = edit(drafts, "global-agent", "", { onOffline: true });
  expect(changedKeys(settings, back)).toEqual(["monitor:3"]);
});

test("the order in which channels were ticked does not matter", () => {
  const two = { ...settings, "global-monitor": { ...settings["global-monitor"], channels: [1, 2] } };
  expect(changedKeys(two, edit({}, "global-monitor", "", { channels: [2, 1] }))).toEqual([]);
  expect(changedKeys(two, edit({}, "global-monitor", "", { channels: [2] }))).toEqual(["global-monitor"]);
});

test("a threshold that is no number is found", () => {
  const drafts = edit({}, "agent:4", "web-1", { cpuThreshold: Number.NaN });
  expect(invalidKeys(settings, drafts)).toEqual(["agent:4"]);
});

test("what was saved is no draft any more, unless it was edited meanwhile", () => {
  const sent: Drafts = edit(edit({}, "monitor:1", "Shop", { enabled: true }), "monitor:2", "Bank", { enabled: true });
  const later = edit(sent, "monitor:2", "Bank", { onDown: false });
  expect(Object.keys(withoutSaved(later, sent, ["monitor:1", "monitor:2"]))).toEqual(["monitor:2"]);
  expect(Object.keys(withoutSaved(sent, sent, ["monitor:2"]))).toEqual(["monitor:1"]);
});
