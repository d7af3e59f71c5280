internal import ArgumentParser

/// The options of `run`, as texts: what they must be is said by `RunSettings`, in the same words
/// for a flag, a variable and a configuration file.
struct RunOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Ask only these sources, separated by commas.", valueName: "names"))
  var source: String?

  @Option(
    name: [.customShort("n", allowingJoined: true), .long],
    help: ArgumentHelp("Print only the newest N posts of all.", valueName: "n"))
  var limit: String?

  @Option(
    help: ArgumentHelp(
      "Take at most N posts from one search (default: 20; no bound with -n or --since).",
      valueName: "n"))
  var perSearch: String?

  @Option(
    help: ArgumentHelp(
      "Only posts from this date on (see: searchagg help dates).", valueName: "date"))
  var since: String?

  @Option(help: ArgumentHelp("Only posts before this date.", valueName: "date"))
  var until: String?

  @Option(
    help: ArgumentHelp(
      "Posts without a date under --since or --until: drop or keep (default: drop).",
      valueName: "what"))
  var undated: String?

  @Option(
    help: ArgumentHelp(
      "Leave out posts with these words, by @author, or from source:NAME; repeatable, or separated by commas (see: searchagg help queries).",
      valueName: "what"))
  var exclude: [String] = []

  @Flag(help: "Leave out posts that only pass another one on.")
  var noReposts = false

  @Flag(help: "Leave out answers and comments.")
  var noReplies = false

  @Option(
    help: ArgumentHelp(
      "Only posts in these languages, such as en,de; not those whose language is unknown.",
      valueName: "languages"))
  var lang: String?

  @Option(
    help: ArgumentHelp(
      "Only posts with so many likes or points; unknown counts as none.", valueName: "n"))
  var minLikes: String?

  @Option(
    help: ArgumentHelp(
      "link: join posts that share their only link and nearly their text (default: none).",
      valueName: "how"))
  var dedupe: String?

  @Flag(help: "Send queries as they are, in each network's own syntax.")
  var raw = false

  @Option(
    help: ArgumentHelp(
      "text, plain, json, ndjson, csv or tsv (default: text; see: searchagg help formats).",
      valueName: "name"))
  var format: String?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Write the posts to this file; - is standard output.", valueName: "file")
  )
  var output: String?

  @Flag(help: "Print each post as soon as none that is still to come can be newer.")
  var stream = false

  @Option(
    help: ArgumentHelp(
      "Ask at most N pages of one search (default: 1000; 10 where a network charges for them).",
      valueName: "n"))
  var maxPages: String?

  @Option(
    help: ArgumentHelp(
      "Spend at most N on each network that charges, in its own unit; or by name: x=500,youtube=300.",
      valueName: "n"))
  var maxCost: String?

  @Option(help: ArgumentHelp("How many requests run at once (default: 16).", valueName: "n"))
  var jobs: String?

  @Option(help: ArgumentHelp("The same for one server of a source (default: 4).", valueName: "n"))
  var perHost: String?

  @Option(help: ArgumentHelp("How long one request may take (default: 20s).", valueName: "time"))
  var timeout: String?

  @Option(
    help: ArgumentHelp("How long the whole run may take (default: no bound).", valueName: "time"))
  var maxTime: String?

  @Option(
    help: ArgumentHelp(
      "The longest wait that a server may ask for (default: 60s, and none where it does not say how long).",
      valueName: "time"))
  var maxWait: String?

  @Option(
    help: ArgumentHelp(
      "How often a request that failed for now is repeated (default: 2).", valueName: "n"))
  var retries: String?

  @Option(
    help: ArgumentHelp(
      "Fail when any search, all, or none failed (default: any; see: searchagg help exit-codes).",
      valueName: "which"))
  var failOn: String?

  @Flag(help: "Exit with status 1 when nothing was found.")
  var failOnEmpty = false

  @Flag(help: "Show what would be asked, with secrets as ***, and ask nothing.")
  var dryRun = false

  @Flag(name: [.short, .long], help: "Print nothing but errors on standard error.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Print notes and a closing line on standard error, too.")
  var verbose = false

  @Option(
    help: ArgumentHelp("Use colour: auto, always or never (default: auto).", valueName: "when"))
  var color: String?

  @Option(
    help: ArgumentHelp(
      "Show progress on standard error: auto, always or never (default: auto).", valueName: "when"))
  var progress: String?

  @Option(
    help: ArgumentHelp("Use this proxy, such as socks5h://127.0.0.1:1080.", valueName: "url")
  )
  var proxy: String?

  @Option(
    help: ArgumentHelp(
      "Send this user agent instead of our own; some networks ask for one of yours.",
      valueName: "text"))
  var userAgent: String?

  @Option(
    help: ArgumentHelp(
      "Keep answers in this folder; on is the user's own, off is none (default: off).",
      valueName: "folder"))
  var cache: String?

  @Option(help: ArgumentHelp("Read this configuration file, and no other.", valueName: "file"))
  var config: String?
}
