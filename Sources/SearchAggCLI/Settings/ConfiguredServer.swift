/// A server as a configuration file names it.
struct ConfiguredServer: Hashable, Sendable {
  /// The address as it is written.
  var address: String
  /// The variables that hold its credentials; nil for those that the source names.
  var variables: [String]?
}
