import FoundationEssentials
import QueuedHTTP

extension Consumer {
  /// Gets an address.
  @Sendable static func get(_ base: String, _: String) async throws {
    let client = HTTPClient()
    let response = try await client.send(HTTPRequest(url: "\(base)/text"))
    let version = response.version?.description ?? "unknown"
    print(response.status, response.isSuccess, version, response.body.text)
  }

  private struct Note: Codable {
    var title: String
    var likes: Int
  }

  /// Sends a value as JSON, and reads the one that comes back.
  @Sendable static func json(_ base: String, _: String) async throws {
    let client = HTTPClient()
    var request = HTTPRequest(.post, url: "\(base)/echo")
    try request.setBody(encoding: Note(title: "hello", likes: 3))
    let note = try await client.send(request, decoding: Note.self)
    print(note.title, note.likes)
  }

  /// Sends a form.
  @Sendable static func form(_ base: String, _: String) async throws {
    let client = HTTPClient()
    var request = HTTPRequest(.post, url: "\(base)/echo")
    request.setForm([("user", "a b"), ("text", "c&d")])
    request.setBearerToken("token")
    print(try await client.send(request).body.text)
  }

  /// Uploads a file in a form; its size does not matter.
  @Sendable static func upload(_ base: String, _ file: String) async throws {
    let client = HTTPClient()
    var form = MultipartForm()
    form.append("title", "large")
    form.append("file", file: file)
    var request = HTTPRequest(.post, url: "\(base)/upload")
    try request.setForm(form)
    request.timeouts.total = nil
    print(try await client.send(request).body.text, OwnProcess.peakMemory)
  }

  /// Posts again after a temporary failure: the server knows the key.
  @Sendable static func postAgain(_ base: String, _: String) async throws {
    let client = HTTPClient()
    var request = HTTPRequest(.post, url: "\(base)/sometimes", body: Array("order".utf8))
    request.headers["Idempotency-Key"] = "7"
    request.retries.methods.insert(.post)
    request.retries.firstWait = .milliseconds(1)
    let response = try await client.send(request)
    print(response.status, response.timings.attempts)
  }

  /// Goes through a proxy.
  @Sendable static func proxy(_ base: String, _: String) async throws {
    var configuration = HTTPClient.Configuration()
    configuration.proxy = base
    configuration.noProxy = ""
    let client = HTTPClient(configuration: configuration)
    print(try await client.send(HTTPRequest(url: "http://service.invalid/proxied")).body.text)
  }

  /// Accepts JSON alone.
  @Sendable static func validation(_ base: String, _: String) async throws {
    let client = HTTPClient()
    let request = HTTPRequest(
      url: "\(base)/text", validations: [.status(), .contentType("application/json")])
    do throws(HTTPError) {
      _ = try await client.send(request)
    } catch {
      print(error.code.rawValue, "-", error.reason)
    }
  }

  /// Gives up after a while, whatever the request waits for.
  @Sendable static func deadline(_ base: String, _: String) async throws {
    let client = HTTPClient()
    do throws(HTTPError) {
      _ = try await client.send(
        HTTPRequest(url: "\(base)/never", deadline: .milliseconds(100)))
    } catch {
      print(error.code.rawValue, "-", error.reason)
    }
  }
}
