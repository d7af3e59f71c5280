internal import Application

extension OwnConfiguration {
  init(in context: Context) throws {
    if let path = context.variable("SEARCHAGG_CONFIG") {
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
