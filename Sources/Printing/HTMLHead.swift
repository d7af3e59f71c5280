/// The beginning of an HTML page, up to its body, with a policy of what the page may load and run.
struct HTMLHead {
  let title: String
  /// The content security policy.
  let policy: String
  /// The style sheet of the page; nil for none.
  var style: String?
  /// True if links of the page keep its address from those that they lead to.
  var hidesReferrer = false

  func append(to html: inout [UInt8]) {
    html.append(
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">

      """)
    if hidesReferrer { html.append("<meta name=\"referrer\" content=\"no-referrer\">\n") }
    html.append("<title>")
    Markup.append(title, to: &html)
    html.append(" – searchagg</title>\n")
    if let style { html.append("<style>\(style)</style>\n") }
    html.append("</head>\n<body>\n")
  }
}
