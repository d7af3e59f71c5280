/// The version, as `--version` prints it and servers see it.
package enum Version {
  package static let number = "0.1.0"
  package static let text = "searchagg \(number)"
  package static let userAgent = "searchagg/\(number) (+https://github.com/searchagg/searchagg)"
}
