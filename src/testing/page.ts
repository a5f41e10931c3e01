import { onTestFinished } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const DOCUMENTS = {
  "index.html":
    '<!doctype html><html lang="zh-CN"><base href="/"><script type="application/json" id="settings">{}</script>',
  "status.html":
    '<!doctype html><html lang="zh-CN" data-theme="light"><head><base href="/"><title></title><meta name="color-scheme" content="light"><script type="application/json" id="settings">{}</script></head><body><div id="root"></div><script type="application/json" id="start"></script></body>',
  "docs.html":
    '<!doctype html><html lang="zh-CN"><title>API</title><base href="/"><script type="application/json" id="settings">{}</script>',
};

const FILES = {
  "main-0a1b2c3d.js": "console.log('page')",
  "theme.js": "document.title",
  "icon-180.png": "icon of 180 pixels",
  "icon-192.png": "icon of 192 pixels",
};

/** A small page in the layout of the build: documents as they are, other files in one folder for each content coding. */
export const makePageDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "wakeful-page-"));
  for (const [name, text] of Object.entries(DOCUMENTS)) writeFileSync(join(directory, name), text);
  for (const [coding, compress] of Object.entries({ br: brotliCompressSync, gzip: gzipSync })) {
    mkdirSync(join(directory, coding));
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(directory, coding, name), compress(text));
  }
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
};
