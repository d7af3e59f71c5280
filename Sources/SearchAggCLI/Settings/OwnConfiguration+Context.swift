internal import Application

extension OwnConfiguration {
  /// - Parameter named: The file that `--config` names; nil for none.
  init(named: String? = nil, in context: Context) throws {
    if let path = named ?? context.variable("SEARCHAGG_CONFIG") {
      self.init(at: context.absolutePath(path))
      return
    }
    guard let folder = ConfigurationFolder.path(in: context) else {
      throw CommandFailure(
        .badConfiguration, "cannot tell where the configuration file is: set HOME")
    }
    self.init(in: folder)
  }
}
