import { describe, expect, it } from "bun:test";
import { isLogo } from "./status-page";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("a logo", () => {
  it.each([
    "",
    "https://shop.example/logo.png",
    "HTTPS://shop.example/logo",
    "https://名称.example:8443/logo.png",
    "https://[2001:db8::1]/logo.png",
    "https://shop.example/a%20b.svg?x=1#y",
    `data:image/png;base64,${PIXEL}`,
    "data:image/jpeg;base64,/9j/4AAQ",
    "data:image/gif;base64,R0lGODlhAQABAAAAACw=",
    "data:image/webp;base64,UklGRg==",
    "data:image/svg+xml;base64,PHN2Zy8+",
    "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'/%3E",
    "data:image/svg+xml;charset=utf-8,%3Csvg/%3E",
  ])("may be %s", (url) => expect(isLogo(url)).toBe(true));

  it.each([
    "http://shop.example/logo.png",
    "//shop.example/logo.png",
    "/logo.png",
    "logo.png",
    "https://",
    "https:///x",
    "https:shop.example",
    "https://alice:secret@shop.example/logo.png",
    "https://shop .example/logo.png",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://shop.example/x",
    "ftp://shop.example/logo.png",
    "https://*/x.png",
    "https://*.com/x.png",
    "https://a.*.example/x.png",
    "https://shop.example;sandbox/x.png",
    "https://a.example,b.example/x.png",
    "https://'self'/x.png",
    "data:text/html,<script>alert(1)</script>",
    "data:text/html;base64,PHNjcmlwdD4=",
    "data:application/xhtml+xml,x",
    "data:image/png,notbase64",
    "data:image/png;base64,",
    `data:image/png;base64,${PIXEL}" onerror="alert(1)`,
    "data:image/svg+xml,<svg onload=alert(1)>",
    "data:image/bmp;base64,Qk0=",
    "data:,x",
    "data:image/png;base64,AAAA\n",
  ])("may not be %s", (url) => expect(isLogo(url)).toBe(false));
});
