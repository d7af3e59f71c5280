import InMemoryLogging
import InMemoryTracing
import Logging
import Metrics
import MetricsTestKit
import QueuedHTTP
import Tracing

/// Sends requests with each of the observers, and prints what they recorded: `observers ADDRESS`
///
/// The server must answer every other request with 503.
@main
struct Observers {
  static func main() async throws {
    guard let base = CommandLine.arguments.dropFirst().first else {
      print("usage: observers ADDRESS")
      return
    }
    try await logging(base)
    try await metrics(base)
    try await tracing(base)
  }

  /// Sends a request that is retried once, and one that fails.
  private static func send(_ base: String, _ observer: any RequestObserver) async throws {
    var configuration = HTTPClient.Configuration()
    configuration.observer = observer
    let client = HTTPClient(configuration: configuration)
    var request = HTTPRequest(url: "\(base)/busy?secret=1")
    request.retries.firstWait = .zero
    _ = try await client.send(request)
    do throws(HTTPError) { _ = try await client.send(HTTPRequest(url: "nowhere:")) } catch {
      print("failed: \(error.code.rawValue)")
    }
    await client.shutdown()
  }

  private static func logging(_ base: String) async throws {
    let handler = InMemoryLogHandler()
    var logger = Logger(label: "observers") { _ in handler }
    logger.logLevel = .trace
    try await send(base, LoggingObserver(logger))
    for entry in handler.entries {
      let details = ["attempt", "status", "reason"].compactMap { key in
        entry.metadata[key].map { "\(key) \($0)" }
      }
      print(([entry.level.rawValue, "\(entry.message)"] + details).joined(separator: ", "))
      if "\(entry.metadata)".contains("secret") { print("a secret was logged") }
    }
  }

  private static func metrics(_ base: String) async throws {
    let metrics = TestMetrics()
    MetricsSystem.bootstrap(metrics)
    try await send(base, MetricsObserver())
    for label in ["http_client_requests", "http_client_retries", "http_client_connections"] {
      print("\(label) \(metrics.counterTotal(label: label))")
    }
  }

  private static func tracing(_ base: String) async throws {
    let tracer = InMemoryTracer()
    InstrumentationSystem.bootstrap(tracer)
    try await send(base, TracingObserver())
    for span in tracer.finishedSpans {
      let status = number("http.response.status_code", of: span)
      let retries = number("http.request.resend_count", of: span)
      print("span \(span.operationName), status \(status), retries \(retries)")
    }
    print("injections \(tracer.performedContextInjections.count)")
  }

  private static func number(_ name: String, of span: FinishedInMemorySpan) -> String {
    guard case .int64(let value)? = span.attributes.get(name) else { return "none" }
    return "\(value)"
  }
}
