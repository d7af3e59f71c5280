/// The version, as `--version` prints it and servers see it.
package enum Version {
  package static let number = "0.1.0"
  /// The day of the release, as RFC 3339 writes it.
  package static let date = "2026-11-23"
  package static let text = "searchagg \(number)"
  package static let userAgent = "searchagg/\(number) (+https://github.com/searchagg/searchagg)"
}
