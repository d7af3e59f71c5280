internal import CCurl

/// The owner of one of libcurl's parsed addresses.
@safe
struct AddressParser: ~Copyable {
  // Nil where there was no memory.
  @unsafe private let handle: OpaquePointer?

  /// Reads an address, and each further one as it is seen from the one before.
  ///
  /// - Parameter code: What is thrown for one that is malformed.
  init(_ steps: [String], flags: UInt32, as code: HTTPError.Code) throws(HTTPError) {
    unsafe handle = curl_url()
    guard unsafe handle != nil else {
      throw HTTPError(.transport, reason: "no memory for an address")
    }
    for step in steps {
      guard step.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F || $0 == 0x20 && code == .redirect })
      else { throw HTTPError(code, reason: "the address has blanks or control characters") }
      // Handed over as it is the text would be copied for it.
      let answer = unsafe step.withCString {
        unsafe curl_url_set(handle, CURLUPART_URL, $0, flags)
      }
      guard answer == CURLUE_OK else {
        throw HTTPError(code, reason: "the address is malformed")
      }
    }
  }

  deinit { unsafe curl_url_cleanup(handle) }

  /// A part of the address; empty where it has none.
  func part(_ which: CURLUPart, flags: UInt32 = 0) -> String {
    var value: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(handle, which, &value, flags) == CURLUE_OK, let text = unsafe value
    else { return "" }
    defer { unsafe curl_free(text) }
    return unsafe String(cString: text)
  }
}
