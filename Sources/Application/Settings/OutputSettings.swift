package import Printing
internal import SearchModel

/// The settings of the output: its format, contents, order and destination.
package struct OutputSettings: Sendable {
  package let format: OutputFormat
  /// The contents of the formats for programs.
  package let contents: RecordContents
  package let template: PostTemplate?
  /// The properties to count by instead of printing posts.
  package let countBy: [CountPrinter.Key]?
  package let order: PostOrder
  /// The number of newest posts to print; nil for all.
  package let limit: Int?
  /// True if a terminal shows every post.
  package let showsAll: Bool
  /// True if a terminal shows long posts to their end.
  package let isFull: Bool
  package let skipsPager: Bool
  package let color: ColorMode
  /// The file to write; nil for standard output.
  package let path: String?
  /// True if the posts are appended to the file.
  package let appends: Bool
  /// True if posts are printed as soon as their position is final.
  package let streams: Bool

  init(_ written: WrittenSettings, for use: SettingsUse) {
    let isWatch = use == .watch
    format = written.outputFormat
    contents = written.contents
    template = written.outputTemplate
    countBy = isWatch ? nil : written.countBy
    order = written.order
    // A backfill reads and prints everything.
    limit = written.isBackfill ? nil : written.limit
    showsAll = written.showsAll || written.isBackfill
    isFull = written.isFull
    skipsPager = written.skipsPager
    color = written.color
    path = written.outputPath
    appends = written.appends || isWatch
    // A file is replaced as a whole, copies can turn up until the last answer, and some formats begin
    // with totals.
    streams =
      written.streams && written.outputPath == nil && written.dedupe == .none
      && written.outputFormat.canStream && written.countBy == nil && written.order == .newest
      && !isWatch && !written.isBackfill
  }

  /// True if only the newest posts are shown, as on a terminal where nobody asked for a number.
  func isShortened(in surroundings: Surroundings) -> Bool {
    isForReader(in: surroundings) && limit == nil && !showsAll
  }

  /// True if the output is text that a person reads on a terminal once the run is over.
  func isForReader(in surroundings: Surroundings) -> Bool {
    format == .text && template == nil && countBy == nil && path == nil && !streams
      && surroundings.outputScreen != nil
  }
}

extension OutputFormat {
  /// Returns the message for a format that cannot be appended to; nil for any other.
  ///
  /// - Parameter path: The file that it is written to, whose name may have chosen it.
  package func appendingFault(_ subject: String, to path: String?) -> String? {
    guard !canBeAppended else { return nil }
    let isOfName = path.flatMap(OutputFormat.init(nameOfFile:)) == self
    let name = isOfName ? ", chosen by the name \(path ?? "")" : ""
    return "\(subject) \(rawValue)\(name); use --format \(Self.namesOfAppendable)"
  }

  /// The names of the formats that can be appended to: `text, plain or csv`.
  package static var namesOfAppendable: String {
    allCases.filter(\.canBeAppended).map(\.rawValue).inWords("or")
  }

  /// True if an output of this format can be appended to another.
  package var canBeAppended: Bool {
    switch self {
    case .text, .plain, .ndjson, .csv, .tsv: true
    case .json, .markdown, .html, .atom, .jsonfeed, .github: false
    }
  }
}

/// The use of color in the output.
package enum ColorMode: String, CaseIterable, Sendable {
  case auto, always, never

  /// Returns whether a stream is colored: options win, then what the user wants of every program, then
  /// what the screen is capable of.
  func isOn(for screen: Screen?, in surroundings: Surroundings) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto: surroundings.wantsColor ?? screen?.isCapable ?? false
    }
  }
}
