internal import QueuedHTTP
internal import SearchEngine
internal import SearchModel
internal import SearchSources

extension RunSettings {
  /// How the client is set up for this run.
  func clientConfiguration(in context: Context) -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = jobs
    configuration.perLane = limits.perLane
    configuration.userAgent = userAgent ?? Version.userAgent
    configuration.proxy = proxy
    configuration.cache = cacheFolder.map { DiskCache(folder: $0) }
    // The curl tool reads the first of these itself, libcurl does not.
    configuration.caFile = context.variable("CURL_CA_BUNDLE") ?? context.variable("SSL_CERT_FILE")
    return configuration
  }

  /// The progress line; nil where none is shown.
  func progressLine(for plan: [PlannedSearch], in context: Context) -> ProgressLine? {
    let isShown =
      switch progress {
      case .always: true
      case .never: false
      case .auto: context.errorTerminal != nil && !isQuiet
      }
    // Posts that come meanwhile would stand in the middle of the line.
    guard isShown, !streams || context.outputTerminal == nil else { return nil }
    var names: [SourceName] = []
    for case .ask(let search) in plan where !names.contains(search.source.name) {
      names.append(search.source.name)
    }
    let isCapable = context.errorTerminal?.isCapable ?? true
    return ProgressLine(
      errors: context.errors, sources: names, columns: context.errorTerminal?.columns ?? 80,
      isAnimated: isCapable && context.variable("CI") == nil)
  }
}
