/// Why a filter of the run leaves a post out; the raw value is its key in machine formats.
package enum FilterReason: String, CaseIterable, Hashable, Sendable {
  /// A word of `--exclude`.
  case words
  /// An author of `--exclude`.
  case authors
  case reposts
  case replies
  /// Another language than those of `--lang`.
  case languages
  /// The network does not say the language that `--lang` asks for.
  case languageUnknown = "language_unknown"
  /// Fewer likes than `--min-likes`, or none stated.
  case likes
  /// The author asks not to be shown to people who are not signed in.
  case signedOut = "signed_out"
  /// No date, where the run has a beginning or an end.
  case undated
}
