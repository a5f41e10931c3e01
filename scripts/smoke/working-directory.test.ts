import { expect, it, onTestFinished } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installConsole, runCommand, startConsole } from "./lib/hub";

it("the executable runs no code and takes no setting from files of its working directory", async () => {
  const installation = installConsole();
  onTestFinished(installation.remove);
  const path = (name: string) => join(installation.folder, name);
  const code = `require("node:fs").writeFileSync(${JSON.stringify(path("executed"))}, "");`;
  mkdirSync(path("node_modules/nodemailer"), { recursive: true });
  const files = {
    "code.js": code,
    "index.ts": code,
    "node_modules/nodemailer/index.js": code,
    "bunfig.toml": 'preload = ["./code.js"]\n[test]\npreload = ["./code.js"]\n',
    "tsconfig.json": '{ "compilerOptions": { "baseUrl": ".", "paths": { "*": ["./code.js"] } } }',
    "package.json": '{ "main": "code.js", "imports": { "#*": "./code.js" }, "scripts": { "start": "bun code.js" } }',
    ".env": "REGISTRATION=closed\nBASE_PATH=/elsewhere\nBUN_OPTIONS=--preload=./code.js\n",
    ".env.production": "REGISTRATION=closed\n",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path(name), text);
  const settings = { NODE_OPTIONS: `--require ${path("code.js")}` };
  const checked = await runCommand(installation, ["serve", "--check"], { settings });
  expect([checked.code, checked.err]).toEqual([0, ""]);
  const hub = await startConsole(installation, settings);
  expect((await hub.as().get("/api/auth/registration")).body.open).toBe(true);
  expect(await hub.stop()).toBe(0);
  expect(existsSync(path("executed"))).toBe(false);
});
