/** The state of a page in a small frame on other sites. */
import type { Deps } from "../../../core/deps";
import { escapeHtml } from "../../../lib/html";
import { type CachedResponse, createCachedResponse } from "../../../server/http-encoding";
import type { Language } from "../../../shared/language";
import { type PageState, pageState } from "../../../shared/status/page-state";
import type { StatusTheme } from "../../../shared/status-page";
import type { Pass } from "../access/gate";
import { pathOf } from "../pages/address";
import type { Published } from "../publish";

const WORDS: Record<Language, Record<PageState, string>> = {
  "en-US": {
    operational: "All systems operational",
    affected: "There is an open incident",
    degraded: "Some systems respond slowly",
    partial: "Some systems have issues",
    outage: "Major outage",
    maintenance: "Under maintenance",
    unknown: "The current status is unknown",
    unchecked: "Nothing has been checked yet",
    nothing: "Nothing has been published here yet",
  },
  "zh-CN": {
    operational: "所有系统运行正常",
    affected: "有事件正在处理中",
    degraded: "部分服务响应缓慢",
    partial: "部分系统出现问题",
    outage: "出现严重故障",
    maintenance: "系统维护中",
    unknown: "当前状态未知",
    unchecked: "尚无检查结果",
    nothing: "尚未公布任何服务",
  },
};

const COLOURS: Record<PageState, string> = {
  operational: "#1f9d61",
  affected: "#c08209",
  degraded: "#c08209",
  partial: "#c08209",
  outage: "#d93a4a",
  maintenance: "#5a86c5",
  unknown: "#8b8da3",
  unchecked: "#8b8da3",
  nothing: "#8b8da3",
};

const LIGHT = "--page:#fff;--ink:#1c1a2b;--line:#e5e5ee";
const DARK = "--page:#191823;--ink:#ebeaf4;--line:#2b2a3a";
const SCHEMES: Record<StatusTheme, string> = {
  light: `:root{color-scheme:light;${LIGHT}}`,
  dark: `:root{color-scheme:dark;${DARK}}`,
  auto: `:root{color-scheme:light dark;${LIGHT}}@media(prefers-color-scheme:dark){:root{${DARK}}}`,
};

const styleOf = (theme: StatusTheme, state: PageState): string =>
  `${SCHEMES[theme]}html,body{margin:0;height:100%}a{box-sizing:border-box;display:flex;align-items:center;gap:9px;height:100%;min-height:36px;padding:0 12px;border:1px solid var(--line);border-radius:8px;background:var(--page);color:var(--ink);font:500 14px/1.2 system-ui,sans-serif;text-decoration:none}a:focus-visible{outline:2px solid #5546d6;outline-offset:-2px}i{flex:none;width:10px;height:10px;border-radius:50%;background:${COLOURS[state]}}span{overflow:hidden;white-space:nowrap;text-overflow:ellipsis}`;

type Options = { theme: StatusTheme; language: Language };

/** Documents of a page by theme and language, for as long as its answers are kept. */
const documents = new WeakMap<Published, Map<string, CachedResponse>>();

/**
 * A document of 300 × 40 pixels without scripts, which loads itself again each minute. Its link opens the page in a new tab.
 * Only this document may be framed by other sites.
 */
export const embedOf = (
  { config }: Pick<Deps, "config">,
  { slug }: Pass,
  page: Published,
  { theme, language }: Options,
): CachedResponse => {
  const kept = documents.get(page) ?? new Map<string, CachedResponse>();
  documents.set(page, kept);
  const key = `${theme} ${language} ${slug ?? ""}`;
  const present = kept.get(key);
  if (present) return present;
  const state = pageState(page.data);
  const style = styleOf(theme, state);
  const link = page.address || `${config.basePath.slice(0, -1)}${pathOf(slug)}`;
  const words = escapeHtml(WORDS[language][state]);
  const title = page.data.title ? `${escapeHtml(page.data.title)}: ` : "";
  const text = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="60"><title>${title}${words}</title><style>${style}</style></head><body><a href="${escapeHtml(link)}" target="_blank" rel="noopener noreferrer" title="${title}${words}"><i></i><span>${words}</span></a></body></html>`;
  const hash = new Bun.CryptoHasher("sha256").update(style).digest("base64");
  const answer = createCachedResponse(text, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors *`,
    "cross-origin-resource-policy": "cross-origin",
    vary: "accept-encoding, accept-language",
  });
  kept.set(key, answer);
  return answer;
};
