/// Percent-encoding of every UTF-8 octet that is not unreserved (RFC 3986, section 2).
public enum PercentEncoding {
  /// Returns `text` with every octet as `%XX`, except letters, digits, `-`, `.`, `_` and `~`.
  public static func encode(_ text: String) -> String {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(text.utf8.count * 3)
    append(text, to: &encoded)
    return String(decoding: encoded, as: UTF8.self)
  }

  private static func append(_ text: String, to encoded: inout [UInt8]) {
    var text = text
    text.withUTF8 { bytes in
      var start = 0
      for position in bytes.indices {
        let byte = unsafe bytes[position]
        if isUnreserved(byte) { continue }
        unsafe encoded.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<position]))
        encoded.append(UInt8(ascii: "%"))
        encoded.append(hexadecimal(byte >> 4))
        encoded.append(hexadecimal(byte & 15))
        start = position + 1
      }
      unsafe encoded.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
    }
  }

  /// Returns `name=value&…` with encoded names and values, in order.
  public static func query(_ items: [(name: String, value: String)]) -> String {
    var query: [UInt8] = []
    query.reserveCapacity(items.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count * 2 })
    for (name, value) in items {
      if !query.isEmpty { query.append(UInt8(ascii: "&")) }
      append(name, value, to: &query)
    }
    return String(decoding: query, as: UTF8.self)
  }

  /// Returns the URL of a path on a server, with a query of the items that have a value, in their order.
  public static func url(
    _ server: String, _ path: String, _ items: KeyValuePairs<String, String?>
  ) -> String {
    var url: [UInt8] = []
    url.reserveCapacity(server.utf8.count + path.utf8.count + usualQuery)
    url += server.utf8
    url += path.utf8
    var mark = UInt8(ascii: "?")
    for (name, value) in items {
      guard let value else { continue }
      url.append(mark)
      append(name, value, to: &url)
      mark = UInt8(ascii: "&")
    }
    return String(decoding: url, as: UTF8.self)
  }

  /// The room that most queries fit into.
  private static let usualQuery = 192

  private static func append(_ name: String, _ value: String, to query: inout [UInt8]) {
    append(name, to: &query)
    query.append(UInt8(ascii: "="))
    append(value, to: &query)
  }

  /// Returns the URL with items added to its query.
  public static func adding(_ items: [(name: String, value: String)], to url: String) -> String {
    guard !items.isEmpty else { return url }
    let parts = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let address = parts[0]
    let mark =
      !address.contains("?") ? "?" : address.hasSuffix("?") || address.hasSuffix("&") ? "" : "&"
    let fragment = parts.count > 1 ? "#\(parts[1])" : ""
    return "\(address)\(mark)\(query(items))\(fragment)"
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
  }
}

extension HTTPRequest {
  /// Sets the body to the items of a form (`application/x-www-form-urlencoded`).
  public mutating func setForm(_ items: [(name: String, value: String)]) {
    upload = nil
    body = Array(PercentEncoding.query(items).utf8)
    headers["Content-Type"] = "application/x-www-form-urlencoded"
  }

  /// Adds items to the query of the URL.
  public mutating func addQuery(_ items: [(name: String, value: String)]) {
    url = PercentEncoding.adding(items, to: url)
  }
}
