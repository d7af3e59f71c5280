internal import TextFormats

/// A network of the catalog as its documentation describes it; `CatalogNetwork` serves it.
protocol CatalogService: Sendable {
  /// Its path segment, which is the name of the declaration.
  var name: String { get }

  var method: String { get }

  /// The paths of its search; `*` is any segment.
  var routes: [[String]] { get }

  /// Its documented parameters. Any other is refused, so that no declaration can lean on one.
  var parameters: [String: ParameterRule] { get }

  /// The quota of an anonymous client; nil where none is documented.
  var pace: (limit: Int, seconds: Int)? { get }

  /// Returns the cursor of a request, if the server moves it; by default nil.
  func state(of request: SimulatedRequest) -> String?

  /// Answers a search whose parameters are valid.
  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer

  /// Returns an error in the network's own form.
  func failure(_ error: CatalogError) -> SimulatedAnswer

  /// Returns the network's own response to too many requests; by default a failure with `Retry-After`.
  func slowDown(_ wait: Wait) -> SimulatedAnswer

  /// The headers that state the remaining quota; by default none.
  func headers(stating level: QuotaLevel) -> [(name: String, value: String)]
}

extension CatalogService {
  var method: String { "GET" }
  var pace: (limit: Int, seconds: Int)? { nil }

  func state(of request: SimulatedRequest) -> String? { nil }

  func slowDown(_ wait: Wait) -> SimulatedAnswer {
    failure(CatalogError(429, "Too many requests")).adding("Retry-After", "\(wait.seconds)")
  }

  func headers(stating level: QuotaLevel) -> [(name: String, value: String)] { [] }
}

/// A refused request.
struct CatalogError: Error {
  let status: Int
  /// The name of the error, where the network has names.
  var code: String?
  let message: String

  init(_ status: Int, _ message: String, code: String? = nil) {
    self.status = status
    self.code = code
    self.message = message
  }
}

/// The values that a parameter may have.
enum ParameterRule: Sendable {
  case text
  /// A text that must be there, and not be empty.
  case required
  case integer(ClosedRange<Int>)
  case choice([String])
  /// `2026-11-20`
  case day
  /// RFC 3339.
  case moment

  /// Returns why a value is illegal; nil if it is legal.
  func fault(of name: String, _ value: String?) -> String? {
    guard let value else {
      if case .required = self { return "The parameter '\(name)' is required." }
      return nil
    }
    let isLegal =
      switch self {
      case .text: true
      case .required: !value.isEmpty
      case .integer(let range): Int(value).map(range.contains) ?? false
      case .choice(let values): values.contains(value)
      case .day: DateReading.day(value) != nil
      case .moment: DateReading.rfc3339(value) != nil
      }
    return isLegal ? nil : "The parameter '\(name)' is invalid."
  }
}
