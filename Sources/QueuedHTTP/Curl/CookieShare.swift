internal import CCurl
internal import Glibc

/// The owner of a libcurl share that keeps cookies; any number of handles on any threads may use it.
@safe
final class CookieShare: Sendable {
  // The addresses of the share and of the lock that guards it; the first is 0 without memory.
  private let share: UInt
  private let lock: UInt

  init() {
    let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    unsafe lock.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(lock, nil)
    let share = CurlGlobal.isReady ? unsafe curl_share_init() : nil
    unsafe ccurl_share_set_user(share, lock)
    unsafe ccurl_share_set_lock(share) { _, _, _, user in
      guard let user = unsafe user else { return }
      unsafe pthread_mutex_lock(user.assumingMemoryBound(to: pthread_mutex_t.self))
    }
    unsafe ccurl_share_set_unlock(share) { _, _, user in
      guard let user = unsafe user else { return }
      unsafe pthread_mutex_unlock(user.assumingMemoryBound(to: pthread_mutex_t.self))
    }
    unsafe ccurl_share_set_data(share, CURL_LOCK_DATA_COOKIE)
    self.share = UInt(bitPattern: share)
    self.lock = UInt(bitPattern: lock)
  }

  deinit {
    unsafe curl_share_cleanup(pointer)
    guard let lock = unsafe UnsafeMutablePointer<pthread_mutex_t>(bitPattern: lock) else { return }
    unsafe pthread_mutex_destroy(lock)
    unsafe lock.deallocate()
  }

  /// Makes a handle keep and send the cookies.
  func attach(to easy: borrowing EasyHandle) throws(HTTPError) {
    guard share != 0 else { throw HTTPError(.transport, reason: "out of memory for cookies") }
    try unsafe easy.set(CURLOPT_SHARE, pointer: pointer)
    // No file is read: the name turns the handle's cookie engine on.
    try easy.set(CURLOPT_COOKIEFILE, "")
  }

  /// The cookies as lines of Netscape's cookie file, without expired ones.
  var lines: [String] {
    let easy = EasyHandle()
    do throws(HTTPError) { try attach(to: easy) } catch { return [] }
    defer { easy.leaveShare() }
    // libcurl drops those that have expired with the next request.
    let now = time(nil)
    return easy.strings(CURLINFO_COOKIELIST).filter { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count > 4, let end = Int(fields[4]), end != 0 else { return true }
      return end > now
    }
  }

  /// Adds a cookie as such a line, or runs a command: https://curl.se/libcurl/c/CURLOPT_COOKIELIST.html
  func set(_ line: String) throws(HTTPError) {
    let easy = EasyHandle()
    try attach(to: easy)
    defer { easy.leaveShare() }
    try easy.set(CURLOPT_COOKIELIST, line)
  }

  private var pointer: UnsafeMutableRawPointer? {
    unsafe UnsafeMutableRawPointer(bitPattern: share)
  }
}
