import { describe, expect, it } from "bun:test";
import type { Container, MachineFacts } from "../../../shared/agents/report";
import type { AlarmState } from "../../../shared/agents/thresholds";
import { MINUTE } from "../../../shared/limits";
import { START } from "../../../testing/clock";
import { MAX_ALARMS } from "./figures";
import { evaluateParts } from "./parts";

/** Plays reports a minute apart. Gives for each what began (+) and ended (-), in parentheses without a message. */
const play = (...reports: MachineFacts[]): string[] => {
  let alarms: AlarmState[] = [];
  return reports.map((report, index) => {
    const at = START + index * MINUTE;
    const found = evaluateParts(alarms, report, { at, lastAt: index > 0 ? at - MINUTE : null });
    alarms = found.alarms;
    return found.changes
      .map(({ begins, subject, event }) => {
        const text = `${begins ? "+" : "-"}${subject}${event?.state ? ` ${event.state}` : ""}`;
        return event ? text : `(${text})`;
      })
      .join(" ");
  });
};

const web = (change: Partial<Container> = {}): MachineFacts => ({
  containers: [{ name: "web", image: "nginx", state: "running", ...change }],
});
const times = (count: number, report: MachineFacts) => Array.from({ length: count }, () => report);

describe("a container", () => {
  it("that stops does not work until it runs again", () => {
    expect(play(web(), web({ state: "exited", exit_status: 137 }), web({ state: "exited" }), web())).toEqual([
      "",
      "+web exited (137)",
      "",
      "-web",
    ]);
  });

  it("that was stopped before the agent knew it is left alone", () => {
    expect(play(web({ state: "exited" }), web({ state: "exited" }), web({ state: "created" }))).toEqual(["", "", ""]);
  });

  it("that is unhealthy does not work, and one that starts is neither", () => {
    const [sick, starting] = [web({ health: "unhealthy" }), web({ health: "starting" })];
    expect(play(starting, sick, starting, web({ health: "healthy" }))).toEqual(["", "+web unhealthy", "", "-web"]);
  });

  it("that keeps restarting does not work until it has run for ten minutes", () => {
    const at = (restarts: number) => web({ restarts });
    const began = play(at(7), at(8), at(9), at(10), at(11), ...times(9, at(11)), at(12), ...times(11, at(12)));
    expect(began.indexOf("+web restarting")).toBe(4);
    // The last restart was in the fifteenth report.
    expect(began.indexOf("-web")).toBe(24);
    expect(began.filter(Boolean)).toHaveLength(2);
  });

  it("that restarts now and then works", () => {
    const seldom = [1, 2, 3].flatMap((restarts) => times(6, web({ restarts })));
    expect(play(...seldom).filter(Boolean)).toEqual([]);
  });

  it("that is created again with the same name begins with no restarts", () => {
    expect(play(web({ restarts: 9 }), web({ restarts: 0 }), web({ restarts: 2 })).filter(Boolean)).toEqual([]);
  });

  it("that the engine restarts at each report does not work", () => {
    const restarting = web({ state: "restarting" });
    expect(play(web(), restarting, restarting, web())).toEqual(["", "", "+web restarting", "-web"]);
  });

  it("that stopped while the engine did not answer does not work, up to a day later", () => {
    const [running, stopped, gone] = [
      web({ restarts: 2 }),
      web({ state: "exited", restarts: 9 }),
      { failed_units: [] },
    ];
    expect(play(running, gone, stopped)).toEqual(["", "", "+web exited"]);
    expect(play(running, ...times(60, gone), stopped).at(-1)).toBe("+web exited");
    expect(play(running, ...times(1441, gone), stopped).filter(Boolean)).toEqual([]);
    expect(play(web({ state: "exited" }), gone, stopped, gone, running).filter(Boolean)).toEqual([]);
  });

  it("is not taken as restarting for what was counted while the engine did not answer", () => {
    expect(play(web({ restarts: 2 }), {}, web({ restarts: 9 }), web({ restarts: 9 })).filter(Boolean)).toEqual([]);
  });

  it("that is not in a cut list is known when it is listed again", () => {
    const others: MachineFacts = { containers: [{ name: "db", image: "x", state: "running" }], containers_total: 300 };
    expect(play(web(), others, web({ state: "exited" }))).toEqual(["", "", "+web exited"]);
    expect(play(web(), { containers: [] }, web({ state: "exited" }))).toEqual(["", "", ""]);
  });

  it("that was removed ends its alert without a message, unless the list is cut", () => {
    const stopped = web({ state: "exited" });
    expect(play(web(), stopped, { containers: [] })).toEqual(["", "+web exited", "(-web)"]);
    expect(play(web(), stopped, { containers: [], containers_total: 300 })).toEqual(["", "+web exited", ""]);
  });
});

describe("services and arrays", () => {
  it("do not work while they are reported as failed or degraded", () => {
    const arrays = (degraded: boolean): MachineFacts => ({
      arrays: [{ name: "md0", kind: "md", state: degraded ? "degraded" : "active", degraded }],
    });
    expect(play({ failed_units: [] }, { failed_units: ["a", "b"] }, { failed_units: ["b"] })).toEqual([
      "",
      "+a +b",
      "-a",
    ]);
    expect(play(arrays(true), arrays(true), arrays(false))).toEqual(["+md0 degraded", "", "-md0"]);
  });

  it("that are no longer reported end their alert without a message after an hour", () => {
    const silent = play({ failed_units: ["a"] }, ...times(59, {}), { failed_units: ["a"] }, ...times(61, {}));
    expect(silent.filter(Boolean)).toEqual(["+a", "(-a)"]);
    expect(silent.at(-1)).toBe("(-a)");
  });
});

it("a server has a bounded number of alerts", () => {
  const names = Array.from({ length: 3 * MAX_ALARMS }, (_, index) => `c${index}`);
  const all = (state: string): MachineFacts => ({ containers: names.map((name) => ({ name, image: "x", state })) });
  const [, begun = "", ended = ""] = play(all("running"), all("exited"), all("running"));
  expect([begun.split("+").length - 1, ended.split(" ").length]).toEqual([MAX_ALARMS, MAX_ALARMS]);
});
