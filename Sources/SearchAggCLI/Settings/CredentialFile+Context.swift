internal import Application

extension CredentialFile {
  /// The file in the user's configuration folder; nil without such a folder.
  init?(in context: Context) {
    guard let folder = ConfigurationFolder.path(in: context) else { return nil }
    self.init(in: folder)
  }

  static func own(in context: Context) throws -> CredentialFile {
    guard let file = CredentialFile(in: context) else {
      throw CommandFailure(
        .badConfiguration, "no place for credentials.json: set HOME or XDG_CONFIG_HOME")
    }
    return file
  }
}

extension Secrets {
  init(in context: Context) throws {
    try self.init(variables: context.environment, file: CredentialFile(in: context))
  }
}
