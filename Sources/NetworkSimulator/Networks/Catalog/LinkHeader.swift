/// A `Link` header of RFC 8288, as networks write it.
enum LinkHeader {
  /// Returns the links with their relations, in order.
  ///
  /// - Parameter separator: Some write no blank after the comma.
  static func value(
    _ links: KeyValuePairs<String, String?>, separator: String = ", "
  ) -> String {
    links.compactMap { relation, address in address.map { "<\($0)>; rel=\"\(relation)\"" } }
      .joined(separator: separator)
  }
}
