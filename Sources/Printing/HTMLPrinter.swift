internal import FoundationEssentials
package import SearchModel
internal import TextFormats

/// Prints one page that loads nothing but the pictures that its reader clicks: posts, a section "What is
/// missing", and filters for browsers with script.
///
/// Its content security policy allows the page's own style and script, by their hashes, and pictures
/// over https; before a click there is no picture in it.
package struct HTMLPrinter: PostPrinter {
  package init() {}

  package func beginning(of result: RunResult) -> [UInt8] {
    var html: [UInt8] = []
    let title = result.tags.isEmpty ? "searchagg" : result.tags.joined(separator: ", ")
    HTMLHead(title: title, policy: Self.policy, style: Self.style, hidesReferrer: true)
      .append(to: &html)
    html.append("<header>\n<h1>")
    Markup.append(title, to: &html)
    html.append("</h1>\n<p>\(result.foundLine), as of ")
    Self.append(result.now, to: &html)
    html.append(".")
    if let missing = result.missingLine { html.append(" <a href=\"#missing\">\(missing)</a>") }
    html.append("</p>\n\(Self.form)</header>\n<main>\n")
    return html
  }

  package func bytes(of posts: ArraySlice<Post>, after previous: Post?) -> [UInt8] {
    var html: [UInt8] = []
    html.reserveCapacity(posts.count * 1200)
    for index in posts.indices { append(posts[index], to: &html) }
    return html
  }

  package func ending(of result: RunResult) -> [UInt8] {
    var html: [UInt8] = []
    html.append("</main>\n")
    let lines = SummaryLines.lines(for: result.outcomes)
    if !lines.isEmpty {
      html.append("<section id=\"missing\">\n<h2>What is missing</h2>\n<ul>\n")
      for line in lines {
        html.append("<li>")
        Markup.append(line, to: &html)
        html.append("</li>\n")
      }
      html.append("</ul>\n</section>\n")
    }
    html.append("<script>\(Self.script)</script>\n</body>\n</html>\n")
    return html
  }

  private func append(_ post: borrowing Post, to html: inout [UInt8]) {
    appendByline(of: post, to: &html)
    let isHidden = post.isSensitive == true || post.contentWarning != nil
    if isHidden {
      html.append("<details><summary>")
      Markup.append(post.contentWarning.map { "Content warning: \($0)" } ?? "Sensitive", to: &html)
      html.append("</summary>\n")
    }
    let title = post.title ?? ""
    if !title.isEmpty {
      html.append("<h2 dir=\"auto\">")
      if let url = post.url, Markup.isSafeAddress(url) {
        Self.appendLink(url, title, to: &html)
      } else {
        Markup.append(title, to: &html)
      }
      html.append("</h2>\n")
    }
    let text = PostWords.withPoll(post.textAfterWarning, of: post)
    if !text.isEmpty, text != title { append(text, post.language, to: &html) }
    append(post.attachments, to: &html)
    if isHidden { html.append("</details>\n") }
    appendDetails(of: post, to: &html)
  }

  /// The network, the author, the date and what is special about a post.
  private func appendByline(of post: borrowing Post, to html: inout [UInt8]) {
    html.append("<article data-network=\"")
    Markup.append(post.source.rawValue, to: &html)
    html.append("\" data-likes=\"\(post.counts.likes ?? 0)\"")
    // In every order by date these are the last.
    if post.createdAt == nil || post.isFuture { html.append(" data-at-end") }
    html.append(">\n<p class=\"by\"><b>")
    Markup.append(post.source.rawValue, to: &html)
    html.append("</b>")
    append(post.author, to: &html)
    if let words = PostWords.feed(post) {
      html.append(" <span dir=\"auto\">")
      Markup.append(words, to: &html)
      html.append("</span>")
    }
    if let date = post.createdAt, RFC3339.canWrite(date) {
      html.append(" ")
      Self.append(date, to: &html)
      if post.isFuture { html.append(" <span>in the future</span>") }
    } else {
      html.append(" <span>undated</span>")
    }
    let marks = [
      PostWords.repost(post), post.editedAt == nil ? nil : "edited", PostWords.visibility(post),
    ].compactMap(\.self)
    for mark in marks {
      html.append(" <span>")
      Markup.append(mark, to: &html)
      html.append("</span>")
    }
    html.append("</p>\n")
  }

  /// The tags, the counts and the address of a post.
  private func appendDetails(of post: borrowing Post, to html: inout [UInt8]) {
    html.append("<p class=\"more\">")
    for tag in post.tags {
      html.append("<span class=\"tag\">")
      Markup.append(tag, to: &html)
      html.append("</span> ")
    }
    post.readValues { post in
      PostWords.forEachHiddenTopic(of: post) { topic in
        html.append("<span class=\"topic\">")
        Markup.append(String(decoding: topic, as: UTF8.self), to: &html)
        html.append("</span> ")
      }
    }
    if let counts = PostWords.counts(post.counts) { html.append("<span>\(counts)</span> ") }
    if let url = post.url, Markup.isSafeAddress(url) { Self.appendLink(url, "Open", to: &html) }
    html.append("</p>\n</article>\n")
  }

  private func append(_ author: Author, to html: inout [UInt8]) {
    let name = author.name.flatMap { $0.isEmpty ? nil : $0 }
    let handle = author.shownHandle.map { "@\($0)" }
    guard let shown = name ?? handle else { return }
    html.append(" ")
    if let url = author.url, Markup.isSafeAddress(url) {
      Self.appendLink(url, shown, to: &html)
    } else {
      html.append("<span dir=\"auto\">")
      Markup.append(shown, to: &html)
      html.append("</span>")
    }
    if name != nil, let handle {
      html.append(" <span>")
      Markup.append(handle, to: &html)
      html.append("</span>")
    }
  }

  /// Appends a link for each attachment; a click on one with a picture shows it in its place.
  private func append(_ attachments: [PostAttachment], to html: inout [UInt8]) {
    guard !attachments.isEmpty else { return }
    html.append("<ul class=\"media\">\n")
    for attachment in attachments where Markup.isSafeAddress(attachment.url) {
      html.append("<li><a href=\"")
      Markup.append(attachment.url, to: &html)
      html.append("\" rel=\"noopener noreferrer nofollow\" dir=\"auto\"")
      let picture = attachment.kind == .image ? attachment.url : attachment.thumbnail
      if let picture, picture.hasPrefix("https:"), Markup.isSafeAddress(picture) {
        html.append(" data-picture=\"")
        Markup.append(picture, to: &html)
        html.append("\"")
      }
      html.append(">")
      let words = PostWords.attachments([attachment])
      Markup.append(attachment.description.map { "\(words): \($0)" } ?? words, to: &html)
      html.append("</a></li>\n")
    }
    html.append("</ul>\n")
  }

  private func append(_ text: String, _ language: String?, to html: inout [UInt8]) {
    html.append("<p class=\"text\" dir=\"auto\"")
    if let language, language.utf8.allSatisfy({ $0 == 0x2D || Self.isAlphanumeric($0) }) {
      html.append(" lang=\"\(language)\"")
    }
    html.append(">")
    for part in Markup.parts(of: text) {
      switch part {
      case .text(let text): Markup.append(String(text), to: &html)
      case .address(let address): Self.appendLink(String(address), String(address), to: &html)
      }
    }
    html.append("</p>\n")
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit
  }

  private static func appendLink(_ url: String, _ text: String, to html: inout [UInt8]) {
    html.append("<a href=\"")
    Markup.append(url, to: &html)
    html.append("\" rel=\"noopener noreferrer nofollow\" dir=\"auto\">")
    Markup.append(text, to: &html)
    html.append("</a>")
  }

  private static func append(_ date: Date, to html: inout [UInt8]) {
    guard RFC3339.canWrite(date) else { return html.append("an unknown date") }
    let text = RFC3339.format(date)
    html.append("<time datetime=\"\(text)\">")
    html.append("\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC</time>")
  }

  private static let policy =
    "default-src 'none'; style-src \(ContentDigest.policySource(of: style)); "
    + "script-src \(ContentDigest.policySource(of: script)); img-src https:; "
    + "base-uri 'none'; form-action 'none'"

  private static let style = """

    :root { color-scheme: light dark; --ink: #1b1b1b; --soft: #575757; --paper: #fff; --line: #d5d5d5;
      --link: #0a4fb3; --chip: #eef1f5; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e9e9e9; --soft: #adadad; --paper: #141414;
      --line: #3a3a3a; --link: #93bdff; --chip: #262a30; } }
    * { box-sizing: border-box; }
    body { margin: 0 auto; max-width: 46rem; padding: 1rem; background: var(--paper); color: var(--ink);
      font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
    h1 { font-size: 1.4rem; margin: 0; }
    h2 { font-size: 1.05rem; margin: .3rem 0; }
    p { margin: .3rem 0; }
    a { color: var(--link); }
    article, #missing { border-top: 1px solid var(--line); padding: .8rem 0; }
    .by, .more, header p { color: var(--soft); }
    .by b { color: var(--ink); }
    .text { white-space: pre-wrap; }
    ::highlight(found) { background: Mark; color: MarkText; }
    .tag, .topic { background: var(--chip); color: var(--ink); border-radius: .3rem; padding: 0 .4rem; }
    .media { list-style: none; margin: .3rem 0; padding: 0; }
    .media a { display: inline-block; border: 1px solid var(--line); border-radius: .3rem;
      padding: .3rem .6rem; }
    .media img { display: block; max-width: 100%; }
    form { display: flex; flex-wrap: wrap; gap: .5rem; margin: .8rem 0; }
    form[hidden], article[hidden] { display: none; }
    input, select { font: inherit; color: inherit; background: var(--paper); max-width: 100%;
      min-width: 0; border: 1px solid var(--soft); border-radius: .3rem; padding: .3rem; }
    label { display: flex; gap: .3rem; align-items: center; max-width: 100%; }

    """

  private static let form = """
    <form hidden>
    <label>Text <input name="text" type="search"></label>
    <label>Network <select name="network"><option value="">all</option></select></label>
    <label>Tag <select name="tag"><option value="">all</option></select></label>
    <label>Sort <select name="sort"><option value="newest">newest first</option>\
    <option value="oldest">oldest first</option><option value="liked">most liked first</option>\
    </select></label>
    <output></output>
    </form>

    """

  private static let script = """

    'use strict';
    // The times of the page, in the reader's own zone.
    for (const time of document.querySelectorAll('time')) {
      time.title = time.textContent;
      time.textContent = new Date(time.dateTime)
        .toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
    }
    // Without case and accents: "zurich" finds "Zürich".
    const plain = text => text.normalize('NFD').replace(/\\p{M}/gu, '').toLowerCase();
    const list = document.querySelector('main');
    // A click shows a picture, and a click on that leads to its address.
    list.addEventListener('click', event => {
      const link = event.target.closest('a[data-picture]');
      if (!link) return;
      event.preventDefault();
      const picture = new Image();
      picture.referrerPolicy = 'no-referrer';
      picture.alt = link.textContent;
      picture.src = link.dataset.picture;
      delete link.dataset.picture;
      link.prepend(picture);
    });
    const form = document.querySelector('form');
    const posts = [...list.querySelectorAll('article')].map(element => ({
      element, network: element.dataset.network, likes: Number(element.dataset.likes),
      moment: 'atEnd' in element.dataset ? '' : element.querySelector('time')?.dateTime ?? '',
      tags: [...element.querySelectorAll('.tag')].map(tag => tag.textContent),
      text: plain(element.textContent),
    }));
    const marks = window.Highlight && CSS.highlights ? new Highlight() : undefined;
    if (marks) CSS.highlights.set('found', marks);
    const mark = (element, words) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        // Where each letter of the plain text comes from.
        const places = [];
        let text = '';
        let place = 0;
        for (const letter of node.data) {
          for (const simple of plain(letter)) {
            text += simple;
            for (let unit = 0; unit < simple.length; unit += 1) places.push([place, place + letter.length]);
          }
          place += letter.length;
        }
        for (const word of words) {
          for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
            const range = new Range();
            range.setStart(node, places[at][0]);
            range.setEnd(node, places[at + word.length - 1][1]);
            marks.add(range);
          }
        }
      }
    };
    const fill = (select, values) => {
      for (const value of [...new Set(values)].sort()) select.add(new Option(value, value));
    };
    fill(form.elements.network, posts.map(post => post.network));
    fill(form.elements.tag, posts.flatMap(post => post.tags));
    const byMoment = (a, b) => !a.moment - !b.moment || (a.moment < b.moment ? -1 : a.moment > b.moment ? 1 : 0);
    const orders = {
      newest: (a, b) => a.moment && b.moment ? byMoment(b, a) : byMoment(a, b),
      oldest: byMoment,
      liked: (a, b) => b.likes - a.likes,
    };
    // The page may be in any of these orders.
    let order = Object.keys(orders)
      .find(name => posts.every((post, place) => !place || orders[name](posts[place - 1], post) <= 0)) ?? 'newest';
    form.elements.sort.value = order;
    const update = () => {
      const { text, network, tag, sort } = form.elements;
      const words = plain(text.value).split(/\\s+/).filter(word => word);
      marks?.clear();
      let count = 0;
      for (const post of posts) {
        const isShown = (!network.value || post.network === network.value)
          && (!tag.value || post.tags.includes(tag.value))
          && words.every(word => post.text.includes(word));
        post.element.hidden = !isShown;
        if (isShown) count += 1;
        if (isShown && marks && words.length) mark(post.element, words);
      }
      if (sort.value !== order) {
        order = sort.value;
        list.append(...[...posts].sort(orders[order]).map(post => post.element));
      }
      form.querySelector('output').textContent = `${count} of ${posts.length} posts`;
    };
    form.addEventListener('input', update);
    form.addEventListener('submit', event => event.preventDefault());
    form.hidden = false;
    update();

    """
}
