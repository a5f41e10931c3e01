import { onTestFinished } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const FILES = {
  "index.html": '<!doctype html><base href="/"><script type="application/json" id="settings">{}</script>',
  "status.html":
    '<!doctype html><html lang="zh-CN"><head><base href="/"><title></title><script type="application/json" id="settings">{}</script></head><main></main>',
  "docs.html":
    '<!doctype html><title>API</title><base href="/"><script type="application/json" id="settings">{}</script>',
  "main-0a1b2c3d.js": "console.log('page')",
  "theme.js": "document.title",
};

/** A built page, small but laid out as the build leaves it. It goes with the test. */
export const makePageDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "wakeful-page-"));
  for (const [name, text] of Object.entries(FILES)) {
    writeFileSync(join(directory, `${name}.br`), brotliCompressSync(text));
    writeFileSync(join(directory, `${name}.gz`), gzipSync(text));
  }
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
};
