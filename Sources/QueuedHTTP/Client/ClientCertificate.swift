/// What a client shows a server that asks who it is: files in PEM form.
public struct ClientCertificate: Sendable, Hashable {
  /// The path of the certificate, with those that vouch for it behind it.
  public var certificateFile: String
  /// The path of its private key.
  public var keyFile: String
  /// What the key is encrypted with; nil where it is not.
  public var password: String?

  /// Names the files, which are read when a connection is made.
  public init(certificateFile: String, keyFile: String, password: String? = nil) {
    self.certificateFile = certificateFile
    self.keyFile = keyFile
    self.password = password
  }
}
