internal import TextFormats

/// Addresses of the web in their order, each once.
struct AddressList {
  private(set) var all: [String] = []

  /// Adds an address, if it is one of http or https.
  mutating func add(_ address: String?) {
    guard let address, WebAddress.isOne(address), !all.contains(address) else { return }
    all.append(address)
  }
}
