/// The certificate that a client shows to a server that asks for one, in PEM form.
public struct ClientCertificate: Sendable, Hashable {
  /// Where the certificate and its key are.
  public enum Source: Sendable, Hashable {
    /// Two files, which are read when a connection is made.
    case files(certificate: String, key: String)
    /// Two texts in memory.
    case pem(certificate: String, key: String)
  }

  /// Where the certificate, with those that vouch for it after it, and its private key are.
  public var source: Source
  /// The password of an encrypted key; nil where it is not encrypted.
  public var password: String?

  /// Names the files, which are read when a connection is made.
  public init(certificateFile: String, keyFile: String, password: String? = nil) {
    source = .files(certificate: certificateFile, key: keyFile)
    self.password = password
  }

  /// Takes the certificate and its key from memory.
  public init(certificatePEM: String, keyPEM: String, password: String? = nil) {
    source = .pem(certificate: certificatePEM, key: keyPEM)
    self.password = password
  }

  /// What tells it from other certificates.
  var identity: String {
    switch source {
    case .files(let certificate, _), .pem(let certificate, _): certificate
    }
  }
}
