internal import ArgumentParser

/// The options of `run`, as texts: what they must be is said by `RunSettings`, in the same words
/// for a flag, a variable and a configuration file.
struct RunOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Ask only these sources, separated by commas.", valueName: "names"))
  var source: String?

  @Option(
    name: [.customShort("n"), .long],
    help: ArgumentHelp("Print only the newest N of all.", valueName: "n"))
  var limit: String?

  @Option(
    help: ArgumentHelp(
      "The most posts of one search: 20, unless -n or --since is given.", valueName: "n"))
  var perSearch: String?

  @Option(help: ArgumentHelp("Only posts from this date on (see help dates).", valueName: "date"))
  var since: String?

  @Option(help: ArgumentHelp("Only posts before this date.", valueName: "date"))
  var until: String?

  @Option(help: ArgumentHelp("How to print: text or ndjson (see help formats).", valueName: "name"))
  var format: String?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Write the posts to this file instead of standard output.", valueName: "file")
  )
  var output: String?

  @Option(help: ArgumentHelp("Transfers at once: 16.", valueName: "n"))
  var jobs: String?

  @Option(help: ArgumentHelp("Transfers at once for one source's server: 4.", valueName: "n"))
  var perHost: String?

  @Option(help: ArgumentHelp("The longest that one request may take: 20s.", valueName: "time"))
  var timeout: String?

  @Option(help: ArgumentHelp("The longest that the whole run may take.", valueName: "time"))
  var maxTime: String?

  @Option(
    help: ArgumentHelp("Further attempts of a request that failed for now: 2.", valueName: "n"))
  var retries: String?

  @Option(
    help: ArgumentHelp(
      "Which failed searches make the exit status 2: any, all or none.", valueName: "which"))
  var failOn: String?

  @Flag(help: "Exit with 1 when nothing was found.")
  var failOnEmpty = false

  @Flag(name: [.short, .long], help: "Say nothing on standard error but errors.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Say more on standard error.")
  var verbose = false

  @Option(help: ArgumentHelp("Colour: auto, always or never.", valueName: "when"))
  var color: String?

  @Option(help: ArgumentHelp("The progress line: auto, always or never.", valueName: "when"))
  var progress: String?

  @Option(
    help: ArgumentHelp("Go through this proxy, such as socks5h://127.0.0.1:1080.", valueName: "url")
  )
  var proxy: String?

  @Option(help: ArgumentHelp("Read this configuration file and no other.", valueName: "file"))
  var config: String?
}
