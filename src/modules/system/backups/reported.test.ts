import { describe, expect, it } from "bun:test";
import { processDialect } from "../../../core/config";
import { writeSetting } from "../../../db/app-settings";
import { users } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { DAY, HOUR } from "../../../shared/limits";
import { START } from "../../../testing/clock";
import { DUE, startBackups, writeFile } from "../../../testing/db/backups";
import { addChannel, PUBLIC_URL, runDeliveries, saveRule } from "../../../testing/fixtures/alerts";
import { serveTelegram } from "../../../testing/servers/providers";
import { createDelivery } from "../../alerting/delivery/deliver";

describe.skipIf(processDialect === "postgres")("nightly backups", () => {
  it("are in /health, in metrics and in the state of the hub", async () => {
    const set = await startBackups();
    const { app, lookAt, way } = set;
    const { alice } = await app.people();
    const healthOf = async () => (await app.anybody.get("/health")).body;
    const metrics = async () => (await app.as(alice).get("/metrics")).text;
    expect(await healthOf()).toMatchObject({ status: "ok", backup_age: null });
    expect(await metrics()).not.toContain("wakeful_backup_age_seconds");
    way.make = async (file) => {
      // As the command does, which is a process of its own.
      await writeSetting(app.db, "backed_up_at", String(app.clock.now()));
      return writeFile(file, AbortSignal.timeout(0));
    };
    await lookAt(START);
    app.clock.set(START + 2 * HOUR);
    expect((await healthOf()).backup_age).toBe(7200);
    expect(await metrics()).toContain("wakeful_backup_age_seconds 7200\n");
    expect(await metrics()).toContain("wakeful_backups_failing 0\n");
    const state = (await app.as(alice).get("/api/system")).body;
    expect(state).toMatchObject({ next_backup: new Date(DUE + DAY).toISOString(), backup_error: null });
    way.make = async () => "the copy is damaged";
    await lookAt(DUE + DAY);
    expect(await metrics()).toContain("wakeful_backups_failing 1\n");
    expect((await app.as(alice).get("/api/system")).body).toMatchObject({
      backup_error: "backup_damaged",
      backup_failing_since: new Date(DUE + DAY).toISOString(),
      attention: expect.arrayContaining([{ code: "backup_failed", detail: { problem: "backup_damaged" } }]),
    });
  });

  it("tell every administrator once when they fail, and when they work again", async () => {
    const telegram = serveTelegram();
    const { app, lookAt, way } = await startBackups({ env: { TELEGRAM_API_URL: telegram.origin, PUBLIC_URL } });
    const { alice, bob, charlie } = await app.people();
    await app.db
      .update(users)
      .set({ role: "admin" })
      .where(isOneOf(users.id, [charlie.id]));
    const delivery = createDelivery(app.deps);
    for (const [user, chatId, language] of [
      [alice, "1", "en-US"],
      [bob, "2", "en-US"],
      [charlie, "3", "zh-CN"],
    ] as const) {
      await app.as(user).put("/api/auth/language", { language });
      const config = { botToken: `123456:${"aBc-_".repeat(7)}`, chatId };
      const channel = await addChannel(app, user, { name: "chat", type: "telegram", config });
      await saveRule(app, user, { target_type: "global-monitor", channels: [channel] });
    }
    const sent = async () => {
      await runDeliveries(app, delivery);
      return telegram.messages
        .splice(0)
        .map(({ chat, text }) => `${chat}: ${text}`)
        .toSorted();
    };
    way.make = async () => "database or disk is full";
    for (const hour of [0, 1, 2]) await lookAt(START + hour * HOUR);
    expect(await sent()).toEqual([
      [
        "1: 🟠 Wakeful: the nightly backup failed",
        "Reason: the disk of BACKUP_DIR has too little free space",
        "Failed at Jan 15, 2026, 12:20:00 UTC",
        "https://watch.example/wakeful/system",
      ].join("\n"),
      [
        "3: 🟠 Wakeful：自动备份失败",
        "原因：BACKUP_DIR 所在磁盘空间不足",
        "失败时间：2026年1月15日 12:20:00 UTC",
        "https://watch.example/wakeful/system",
      ].join("\n"),
    ]);
    way.make = writeFile;
    await lookAt(START + 4 * HOUR);
    await lookAt(DUE + DAY);
    expect(await sent()).toEqual([
      [
        "1: 🟢 Wakeful: backups work again",
        "It lasted 4 hours.",
        "Back to normal at Jan 15, 2026, 16:20:00 UTC",
        "https://watch.example/wakeful/system",
      ].join("\n"),
      [
        "3: 🟢 Wakeful：自动备份恢复正常",
        "持续时间：4 小时",
        "恢复时间：2026年1月15日 16:20:00 UTC",
        "https://watch.example/wakeful/system",
      ].join("\n"),
    ]);
  });
});
