import { describe, expect, it } from "bun:test";
import { renderMarkdown } from "./markdown";

/** The elements and attributes of an HTML text as HTMLRewriter, a real parser, finds them. */
const elementsOf = (html: string): { name: string; attributes: Record<string, string> }[] => {
  const found: { name: string; attributes: Record<string, string> }[] = [];
  new HTMLRewriter()
    .on("*", {
      element: ({ tagName, attributes }) => {
        found.push({ name: tagName, attributes: Object.fromEntries(attributes) });
      },
    })
    .transform(html);
  return found;
};

const ALLOWED = "p br strong em s code pre blockquote ol ul li hr a".split(" ");

describe("Markdown of an update", () => {
  it.each([
    [
      "We **fixed** it, see *below*: `df -h`",
      "<p>We <strong>fixed</strong> it, see <em>below</em>: <code>df -h</code></p>",
    ],
    ["one\ntwo\n\nthree", "<p>one<br>two</p><p>three</p>"],
    ["- a\n- b", "<ul><li>a</li><li>b</li></ul>"],
    ["3. c", '<ol start="3"><li>c</li></ol>'],
    ["# Cause", "<p><strong>Cause</strong></p>"],
    ["> quoted", "<blockquote><p>quoted</p></blockquote>"],
    [
      "[details](https://example.com/a?b=1&c=2)",
      '<p><a href="https://example.com/a?b=1&#38;c=2" rel="noopener nofollow ugc">details</a></p>',
    ],
    [
      "https://example.com/x",
      '<p><a href="https://example.com/x" rel="noopener nofollow ugc">https://example.com/x</a></p>',
    ],
    ["[write](mailto:a@example.com)", '<p><a href="mailto:a@example.com" rel="noopener nofollow ugc">write</a></p>'],
    ["数据库已恢复，*正在观察*。", "<p>数据库已恢复，<em>正在观察</em>。</p>"],
  ])("%j is %s", (text, html) => expect(renderMarkdown(text)).toBe(html));

  it("shows HTML as text, pictures as their description, and links of other schemes as their text", () => {
    expect(renderMarkdown("<b>x</b> &lt;i&gt;")).toBe("<p>&#60;b&#62;x&#60;/b&#62; &#60;i&#62;</p>");
    expect(renderMarkdown("<script>alert(1)</script>")).toBe("<p>&#60;script&#62;alert(1)&#60;/script&#62;</p>");
    expect(renderMarkdown("![a chart](https://example.com/x.png)")).toBe("<p>a chart</p>");
    for (const address of [
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)",
      "&#106;avascript:alert(1)",
      "data:text/html,x",
    ])
      expect([address, renderMarkdown(`[x](${address})`)]).toEqual([address, "<p>x</p>"]);
    for (const address of ["vbscript:x", "file:///etc/passwd", "//evil.example", "/status", "#top", "ftp://a.example"])
      expect([address, renderMarkdown(`[x](${address})`)]).toEqual([address, "<p>x</p>"]);
  });

  it("has no element or attribute of its writer, whatever the text", () => {
    const pieces = [
      ...[
        "<script>",
        "</p>",
        "<img src=x onerror=alert(1)>",
        "<!--",
        "]]>",
        "<svg/onload=x>",
        '"',
        "'",
        "&quot;",
        "&#0;",
      ],
      ...["[a](", "](", ")", "![", "[r]: javascript:x\n", "[r]", "<https://x.example/", ">", "`", "```", "~~~\n", "**"],
      ...[
        "_",
        "~~",
        "\n\n",
        "\n",
        "- ",
        "1. ",
        "> ",
        "# ",
        "    ",
        "\\",
        "\u0000",
        "\ud800",
        "|a|b|\n|-|-|\n",
        "https://a.example/",
      ],
      ...[' "onmouseover=alert(1)', "<a href=javascript:x>", "mailto:", "[[w]]", "$$x$$", "- [x] ", "java\tscript:"],
    ];
    // A simple generator, so that a failure repeats.
    let seed = 7;
    const pick = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return pieces[seed % pieces.length] ?? "";
    };
    for (let round = 0; round < 3000; round++) {
      const text = Array.from({ length: 1 + (round % 12) }, pick).join("");
      for (const { name, attributes } of elementsOf(renderMarkdown(text))) {
        expect([text, ALLOWED.includes(name)]).toEqual([text, true]);
        const { href = "https:", rel, start, ...others } = attributes;
        expect([text, /^(https?|mailto):/.test(href), others]).toEqual([text, true, {}]);
        if (name === "a") expect(rel).toBe("noopener nofollow ugc");
        if (start !== undefined) expect(start).toMatch(/^\d+$/);
      }
    }
  });

  it.each([
    ["quotes", ">".repeat(5000)],
    ["lists", "- ".repeat(2500)],
    ["brackets", "[".repeat(5000)],
    ["links in links", "[a](".repeat(1250)],
    ["links that are named again and again", `[r]: https://x.example/${"a".repeat(4000)}\n\n${"[r] ".repeat(90)}`],
    ["emphasis", "**a_".repeat(1250)],
    ["backticks", "`".repeat(5000)],
  ])("of many %s is shown within 100 ms, and hardly longer than its text", (_, text) => {
    const started = performance.now();
    const html = renderMarkdown(text);
    expect(performance.now() - started).toBeLessThan(100);
    expect(html.length).toBeLessThan(110_000);
  });
});
