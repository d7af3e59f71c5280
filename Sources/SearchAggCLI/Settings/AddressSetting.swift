internal import Application
internal import SearchModel

/// Reads addresses of servers and proxies from settings.
///
/// A message about a wrong address leaves out what may be secret: a password, or a query.
enum AddressSetting {
  /// - Parameter isWhole: Whether it is the complete address of a document, with its query.
  static func server(
    _ text: String, isWhole: Bool = false, from origin: SettingOrigin
  ) throws(CommandFailure) -> ServerAddress {
    guard let address = isWhole ? ServerAddress.whole(text) : ServerAddress(text) else {
      throw origin.refusal(
        of: AddressText.censored(text),
        expected: (isWhole
          ? "an address such as https://example.org/feed.xml, without a user"
          : "an address such as https://example.org, without a query or user")
          + AddressText.hint(for: text))
    }
    return address
  }

  /// Returns the address of a proxy in the form that libcurl expects; empty for none, as in curl.
  static func proxy(
    _ text: String, from origin: SettingOrigin
  ) throws(CommandFailure) -> String {
    guard text.isEmpty || AddressText.isProxy(text) else {
      throw origin.refusal(
        of: AddressText.censored(text),
        expected: "an address such as socks5h://127.0.0.1:1080, or nothing for no proxy")
    }
    if origin.isOption, text.contains("@") {
      throw origin.refusal(
        "others can see a password on the command line; put it in \(Setting.variable(of: "proxy"))"
      )
    }
    return text
  }
}
