/// A check that a response must pass to be accepted; it does not run on the worker thread.
///
/// The checks run in order on the final response: after retries, and before a file gets its name. If one
/// fails, the request fails with an error that says what was expected and contains the response.
/// Streamed responses are not checked.
public struct ResponseValidation: Sendable {
  let check: @Sendable (HTTPResponse) throws -> Void

  /// Creates a check that fails if the closure throws; the error's description becomes the reason.
  public init(_ check: @escaping @Sendable (HTTPResponse) throws -> Void) { self.check = check }

  /// The status must be one of these.
  public static func status(_ accepted: ClosedRange<Int> = 200...299) -> ResponseValidation {
    ResponseValidation { response in
      guard !accepted.contains(response.status) else { return }
      throw Refusal(
        "status \(response.status), expected \(accepted.lowerBound) to \(accepted.upperBound)")
    }
  }

  /// The status must be one of these.
  public static func status(in accepted: Set<Int>) -> ResponseValidation {
    ResponseValidation { response in
      guard !accepted.contains(response.status) else { return }
      let list = accepted.sorted().map(String.init).joined(separator: ", ")
      throw Refusal("status \(response.status), expected \(list)")
    }
  }

  /// The media type must be one of these, such as `application/json` or `image/*`; parameters are
  /// ignored (RFC 9110, section 8.3).
  public static func contentType(_ accepted: String...) -> ResponseValidation {
    ResponseValidation { response in
      let field = response.headers["Content-Type"] ?? ""
      let type = field.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
      for pattern in accepted.map({ $0.lowercased() }) {
        if pattern == type || pattern == "*/*" { return }
        if pattern.hasSuffix("/*"), type.hasPrefix(pattern.dropLast()) { return }
      }
      let found = type.isEmpty ? "no content type" : "content type \(type)"
      throw Refusal("\(found), expected \(accepted.joined(separator: " or "))")
    }
  }

  /// A failed check of ours.
  private struct Refusal: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}

extension HTTPResponse {
  /// The error of the first check that the response fails.
  func refusal(by validations: [ResponseValidation]) -> HTTPError? {
    for validation in validations {
      do { try validation.check(self) } catch {
        var refusal =
          error as? HTTPError ?? HTTPError(.unacceptable, reason: "\(error)")
        if !(error is HTTPError) { refusal.underlyingError = error }
        refusal.response = self
        refusal.timings = timings
        return refusal
      }
    }
    return nil
  }
}
