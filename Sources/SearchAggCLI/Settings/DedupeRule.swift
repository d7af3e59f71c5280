/// What `--dedupe` joins beside copies with the same identity.
enum DedupeRule: String, CaseIterable, Sendable {
  case none
  /// Posts that share their only outside link, and nearly the same text.
  case link
}
