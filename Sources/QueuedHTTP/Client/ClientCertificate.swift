/// What a client shows a server that asks who it is: files in PEM form.
public struct ClientCertificate: Sendable, Hashable {
  public var certificateFile: String
  public var keyFile: String
  /// What the key is encrypted with; nil where it is not.
  public var password: String?

  public init(certificateFile: String, keyFile: String, password: String? = nil) {
    self.certificateFile = certificateFile
    self.keyFile = keyFile
    self.password = password
  }
}
