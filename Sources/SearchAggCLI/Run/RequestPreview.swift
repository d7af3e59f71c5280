internal import QueuedHTTP
internal import TextFormats

/// A request as it may be shown: secrets have been replaced before it was made, so none can be in it.
struct RequestPreview {
  /// What stands for a secret.
  static let mask = "***"

  private let method: String
  private let url: String
  private let headers: [HTTPHeaders.Field]
  private let body: String?

  /// - Parameter request: A request that was made with `mask` for each secret.
  init(_ request: HTTPRequest) {
    method = request.method.rawValue
    url = Self.unmasked(request.url)
    headers = request.headers.fields.map { field in
      guard field.name.lowercased() == "authorization" else { return field }
      // Some schemes encode what they are given; what stands before it is none of the secret.
      let scheme = field.value.split(separator: " ").first.map { "\($0) " } ?? ""
      return HTTPHeaders.Field(name: field.name, value: scheme + Self.mask)
    }
    body = request.body.map { Self.unmasked(String(decoding: $0, as: UTF8.self)) }
  }

  /// The request as lines: method and address, headers, and behind a blank line the body.
  var lines: [String] {
    var lines = ["\(method) \(url)"] + headers.map { "\($0.name): \($0.value)" }
    if let body { lines += ["", body] }
    return lines.map(ControlCodes.strippedToLine)
  }

  var json: JSONValue {
    .members([
      "method": .string(method), "url": .string(url),
      "headers": .object(headers.map { JSONMember($0.name, .string($0.value)) }),
      "body": body.map(JSONValue.string),
    ])
  }

  /// The mask as it is written, where an address or form has encoded it.
  private static func unmasked(_ text: String) -> String {
    text.replacing(PercentEncoding.encode(mask), with: mask)
  }
}
