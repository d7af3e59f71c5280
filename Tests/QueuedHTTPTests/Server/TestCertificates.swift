import TestSupport

/// Certificates by an authority of our own, made by `openssl`.
struct TestCertificates {
  static var isPossible: Bool { ServerProgram.path(of: "openssl") != nil }

  let folder: Folder

  /// - Parameter other: What there is to be beside `authority` and `server`.
  init(_ other: Set<String> = []) throws {
    folder = try Folder()
    try authority("authority")
    try certificate("server", names: "IP:127.0.0.1,DNS:localhost")
    if other.contains("stranger") { try authority("stranger") }
    if other.contains("other") { try certificate("other", names: "DNS:other.invalid") }
    if other.contains("expired") { try certificate("expired", names: "IP:127.0.0.1", days: -1) }
    if other.contains("client") { try certificate("client", names: "DNS:client.invalid") }
  }

  func remove() { folder.remove() }

  /// A server that shows a certificate and answers every request; it may ask for the client's.
  func server(_ name: String, asksClient: Bool = false, options: [String] = []) throws
    -> (ServerProgram, url: String)
  {
    let arguments =
      [
        "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", "\(name).pem", "-key",
        "\(name).key",
      ] + options
      + (asksClient ? ["-Verify", "1", "-verify_return_error", "-CAfile", "authority.pem"] : [])
    let program = try ServerProgram(
      "openssl", arguments, in: folder.path, until: /ACCEPT 127\.0\.0\.1:[0-9]+/)
    let port = program.firstLines.firstMatch(of: /ACCEPT 127\.0\.0\.1:([0-9]+)/)?.1 ?? ""
    return (program, "https://127.0.0.1:\(port)/")
  }

  private static let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

  private func authority(_ name: String) throws {
    try ServerProgram.run(
      "openssl",
      ["req", "-x509"] + Self.key
        + [
          "-keyout", "\(name).key", "-out", "\(name).pem", "-subj", "/CN=\(name)", "-days", "2",
        ], in: folder.path)
  }

  private func certificate(_ name: String, names: String, days: Int = 2) throws {
    try ServerProgram.run(
      "openssl",
      ["req"] + Self.key
        + ["-keyout", "\(name).key", "-out", "\(name).csr", "-subj", "/CN=\(name)"],
      in: folder.path)
    try folder.write(Array("subjectAltName=\(names)\n".utf8), to: "\(name).names")
    try ServerProgram.run(
      "openssl",
      [
        "x509", "-req", "-in", "\(name).csr", "-CA", "authority.pem", "-CAkey", "authority.key",
        "-set_serial", "\(abs(name.hashValue))", "-extfile", "\(name).names", "-days", "\(days)",
        "-out", "\(name).pem",
      ], in: folder.path)
  }
}
