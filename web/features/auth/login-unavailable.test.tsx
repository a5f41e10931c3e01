import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import i18n from "i18next";
import { PASSWORD, startHub } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { render, screen, userEvent } from "../../testing/test-page";
import LoginPage from "./login-page";

setUpPage({ path: "/login" });

test.each([
  [
    "en-US",
    "Username *",
    "Password *",
    "Sign in",
    "The database can’t be written because it is read-only. Try again once that has changed.",
  ],
  ["zh-CN", "用户名 *", "密码 *", "登录", "数据库处于只读状态，无法写入，请在恢复可写后重试"],
])("signing in while the database can't be written says so in %s", async (language, user, password, submit, text) => {
  const hub = await startHub();
  await hub.people();
  await i18n.changeLanguage(language);
  render(<LoginPage />);
  await userEvent.type(screen.getByLabelText(user), "alice");
  await userEvent.type(screen.getByLabelText(password), PASSWORD);
  await hub.db.rows(sql`pragma query_only = on`);
  await userEvent.click(screen.getByRole("button", { name: submit }));
  expect((await screen.findByRole("alert")).textContent).toBe(text);
  await hub.db.rows(sql`pragma query_only = off`);
});
