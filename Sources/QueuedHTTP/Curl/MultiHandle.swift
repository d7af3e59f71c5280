internal import CCurl

/// The owner of libcurl's multi handle: connections, names, TLS sessions, and the transfers that
/// run.
///
/// Used on the worker thread alone, but for waking it up.
@safe
struct MultiHandle: ~Copyable {
  // Nil where there was no memory: libcurl's functions then answer with an error of their own.
  @unsafe let pointer: UnsafeMutableRawPointer?

  init() { unsafe pointer = curl_multi_init() }

  deinit { unsafe curl_multi_cleanup(pointer) }

  /// Bounds the connections that are kept open for later requests.
  func keepConnections(_ bound: Int) {
    unsafe ccurl_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, bound)
  }

  /// Begins a transfer.
  func add(_ easy: borrowing EasyHandle) -> Bool {
    unsafe curl_multi_add_handle(pointer, easy.pointer) == CURLM_OK
  }

  /// Ends a transfer at once, whatever it is doing.
  func remove(_ easy: borrowing EasyHandle) {
    unsafe curl_multi_remove_handle(pointer, easy.pointer)
  }

  /// Does what can be done without waiting.
  ///
  /// - Returns: false when the state of all transfers is undefined.
  func perform() -> Bool {
    var running: Int32 = 0
    return unsafe curl_multi_perform(pointer, &running) == CURLM_OK
  }

  /// Waits for the network, the time or a wake-up.
  func poll(milliseconds: Int32) -> Bool {
    unsafe curl_multi_poll(pointer, nil, 0, milliseconds, nil) == CURLM_OK
  }

  /// The next transfer that is done: what stands as its private pointer, and how it ended.
  @unsafe
  func nextDone() -> (user: UnsafeMutableRawPointer, code: CURLcode)? {
    var left: Int32 = 0
    while let message = unsafe curl_multi_info_read(pointer, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
      var user: UnsafeMutableRawPointer?
      unsafe ccurl_get_pointer(message.pointee.easy_handle, CURLINFO_PRIVATE, &user)
      guard let user = unsafe user else { continue }
      return unsafe (user, ccurl_message_result(message))
    }
    return nil
  }
}
