internal import TextFormats

/// Addresses of the web in their order, each once.
///
/// An answer may hold any number of them, and each is compared with those before it: beyond the first
/// thousand they are left out.
struct AddressList {
  private static let most = 1000

  private(set) var all: [String] = []

  /// Adds an address, if it is one of http or https.
  mutating func add(_ address: String?) {
    guard all.count < Self.most, let address, WebAddress.isOne(address), !all.contains(address)
    else { return }
    all.append(address)
  }
}
