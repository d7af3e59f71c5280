import FoundationEssentials
import QueuedHTTP
import Synchronization
import TestSupport
import Testing

@Suite(.enabled(if: TestCertificates.isPossible, "openssl is not installed")) struct TLSTests {
  private enum Trust: String { case authority, stranger, system }

  private func send(
    _ url: String, _ certificates: TestCertificates, trust: Trust = .authority,
    _ change: (inout HTTPClient.Configuration) -> Void = { _ in }
  ) async -> Result<HTTPResponse, HTTPError> {
    await send(patient(url: url, retries: .never), certificates, trust: trust, change)
  }

  private func send(
    _ request: HTTPRequest, _ certificates: TestCertificates, trust: Trust = .authority,
    _ change: (inout HTTPClient.Configuration) -> Void = { _ in }
  ) async -> Result<HTTPResponse, HTTPError> {
    var configuration = HTTPClient.Configuration()
    configuration.proxy = ""
    if trust != .system { configuration.caFile = certificates.folder["\(trust).pem"] }
    change(&configuration)
    let client = HTTPClient(configuration: configuration)
    defer { extendLifetime(client) }
    do throws(HTTPError) {
      let response = try await client.send(request)
      await client.shutdown()
      return .success(response)
    } catch {
      await client.shutdown()
      return .failure(error)
    }
  }

  @Test func `A certificate is trusted by the given authority alone`() async throws {
    let certificates = try TestCertificates(["stranger"])
    defer { certificates.remove() }
    let (program, url) = try certificates.server("server")
    defer { program.stop() }
    let response = try await send(url, certificates).get()
    #expect(response.status == 200)
    #expect(response.timings.tls > .zero)
    for trust in [Trust.system, .stranger] {
      let result = await send(url, certificates, trust: trust)
      let error = #expect(throws: HTTPError.self) { try result.get() }
      #expect(error?.code == .tls)
      #expect(
        error?.reason == "the server's certificate was issued by an authority that is not trusted")
    }
  }

  @Test(arguments: [
    ("other", "the server's certificate is for another name"),
    ("expired", "the server's certificate has expired"),
  ])
  func `A certificate for another name or of another time is refused`(
    name: String, reason: String
  ) async throws {
    let certificates = try TestCertificates([name])
    defer { certificates.remove() }
    let (program, url) = try certificates.server(name)
    defer { program.stop() }
    let result = await send(url, certificates)
    let error = #expect(throws: HTTPError.self) { try result.get() }
    #expect(error?.code == .tls)
    #expect(error?.reason == reason)
  }

  @Test func `A server that asks who we are is shown the client's certificate`() async throws {
    let certificates = try TestCertificates(["client"])
    defer { certificates.remove() }
    let (program, url) = try certificates.server("server", asksClient: true)
    defer { program.stop() }
    let shown = await send(url, certificates) { configuration in
      configuration.clientCertificate = ClientCertificate(
        certificateFile: certificates.folder["client.pem"],
        keyFile: certificates.folder["client.key"])
    }
    #expect(try shown.get().status == 200)
    let hidden = await send(url, certificates)
    #expect(throws: HTTPError.self) { try hidden.get() }
  }

  @Test func `Authorities and the client's certificate may lie in memory`() async throws {
    let certificates = try TestCertificates(["client", "stranger"])
    defer { certificates.remove() }
    func text(_ name: String) throws -> String {
      String(decoding: try #require(certificates.folder.bytes(of: name)), as: UTF8.self)
    }
    let (program, url) = try certificates.server("server", asksClient: true)
    defer { program.stop() }
    let authority = try text("authority.pem")
    let certificate = ClientCertificate(
      certificatePEM: try text("client.pem"), keyPEM: try text("client.key"))
    let trusted = await send(url, certificates, trust: .system) { configuration in
      configuration.caCertificates = authority
      configuration.clientCertificate = certificate
    }
    #expect(try trusted.get().status == 200)
    let stranger = try text("stranger.pem")
    let refused = await send(url, certificates, trust: .system) { configuration in
      configuration.caCertificates = stranger
      configuration.clientCertificate = certificate
    }
    let error = #expect(throws: HTTPError.self) { try refused.get() }
    #expect(error?.code == .tls)
    #expect(error?.reason.hasSuffix("not trusted") == true)
  }

  @Test func `With pins only a pinned public key is accepted`() async throws {
    let certificates = try TestCertificates()
    defer { certificates.remove() }
    let folder = certificates.folder
    for arguments in [
      ["x509", "-in", "server.pem", "-pubkey", "-noout", "-out", "public.pem"],
      ["pkey", "-pubin", "-in", "public.pem", "-outform", "der", "-out", "public.der"],
      ["dgst", "-sha256", "-binary", "-out", "digest", "public.der"],
    ] { try ServerProgram.run("openssl", arguments, in: folder.path) }
    let pin = Data(try #require(folder.bytes(of: "digest"))).base64EncodedString()
    let (program, url) = try certificates.server("server")
    defer { program.stop() }
    let other = Data(repeating: 1, count: 32).base64EncodedString()
    let accepted = await send(url, certificates) { $0.pinnedPublicKeys = [other, pin] }
    #expect(try accepted.get().status == 200)
    let refused = await send(url, certificates) { $0.pinnedPublicKeys = [other] }
    let error = #expect(throws: HTTPError.self) { try refused.get() }
    #expect(error?.code == .tls)
    #expect(error?.reason == "the server's public key is not pinned")
  }

  @Test func `A server that speaks only an older TLS than wanted is refused`() async throws {
    let certificates = try TestCertificates()
    defer { certificates.remove() }
    let (program, url) = try certificates.server("server", options: ["-tls1_2"])
    defer { program.stop() }
    let accepted = await send(url, certificates) { $0.minimumTLSVersion = .tls1_2 }
    #expect(try accepted.get().status == 200)
    let refused = await send(url, certificates) { $0.minimumTLSVersion = .tls1_3 }
    let error = #expect(throws: HTTPError.self) { try refused.get() }
    #expect(error?.code == .tls)
  }

  @Test(arguments: [true, false])
  func `A handshake that is broken off is tried again`(isReset: Bool) async throws {
    let certificates = try TestCertificates()
    defer { certificates.remove() }
    let (program, url) = try certificates.server("server")
    defer { program.stop() }
    let port = try #require(url.firstMatch(of: /:([0-9]+)\//).flatMap { Int($0.1) })
    let count = Shared(Mutex(0))
    let front = try Listener { wire in
      let number = count.value.withLock { count in
        count += 1
        return count
      }
      if number > 1 {
        guard let behind = Wire.connected(toPort: port) else { return }
        defer { behind.close() }
        wire.exchange(with: behind)
      } else if wire.readSome() != nil, isReset {
        wire.reset()
      }
    }
    defer { front.close() }
    let address = "https://127.0.0.1:\(front.port)/"
    let answered = await send(patient(url: address, retries: .soon), certificates)
    #expect(try answered.get().status == 200)
    #expect(count.value.withLock(\.self) == 2)
    count.value.withLock { $0 = 0 }
    let failed = await send(address, certificates)
    let error = #expect(throws: HTTPError.self) { try failed.get() }
    #expect(error?.code == .connection)
    #expect(error?.reason == "the TLS handshake was broken off")
  }

  @Test func `A server that does not speak TLS is said not to`() async throws {
    let certificates = try TestCertificates()
    defer { certificates.remove() }
    let server = try LoopbackServer { _ in .ok("x") }
    defer { server.close() }
    let result = await send("https://127.0.0.1:\(server.port)/", certificates)
    let error = #expect(throws: HTTPError.self) { try result.get() }
    #expect(error?.code == .tls)
    #expect(error?.reason == "the server did not reply with TLS")
  }

  @Test func `A missing file of authorities is named as such`() async throws {
    let certificates = try TestCertificates()
    defer { certificates.remove() }
    let (program, url) = try certificates.server("server")
    defer { program.stop() }
    let result = await send(url, certificates) { $0.caFile = "/no/such/file" }
    let error = #expect(throws: HTTPError.self) { try result.get() }
    #expect(error?.code == .tls)
    #expect(error?.reason == "cannot read the file of trusted certificates, /no/such/file")
  }

  @Test(arguments: [false, true])
  func `A redirect from https to http is followed only if allowed, and without secrets`(
    isAllowed: Bool
  ) async throws {
    let certificates = try TestCertificates()
    defer { certificates.remove() }
    let plain = try LoopbackServer { _ in .ok("in the open") }
    defer { plain.close() }
    let server = try LoopbackServer { _ in .redirect(to: plain.url("/open")) }
    defer { server.close() }
    let front = try TLSFront(to: server.port, certificates)
    defer { front.close() }
    var request = patient(
      url: "https://127.0.0.1:\(front.port)/",
      headers: ["Authorization": "Bearer secret", "X-Key": "secret", "X-Other": "kept"],
      retries: .never, secretHeaders: ["X-Key"])
    request.allowsDowngrade = isAllowed
    let result = await send(request, certificates)
    let first = try #require(server.seen.requests.first)
    #expect(first.header("Authorization") == "Bearer secret")
    guard isAllowed else {
      let error = #expect(throws: HTTPError.self) { try result.get() }
      #expect(error?.code == .redirect)
      #expect(plain.targets.isEmpty)
      return
    }
    #expect(try result.get().body.text == "in the open")
    let open = try #require(plain.seen.requests.first)
    #expect(open.target == "/open")
    #expect(open.header("Authorization") == nil)
    #expect(open.header("X-Key") == nil)
    #expect(open.header("X-Other") == "kept")
  }
}
