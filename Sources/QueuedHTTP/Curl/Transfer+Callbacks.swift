internal import CCurl

// What libcurl calls. C functions can neither capture nor throw: the transfer comes as user data,
// and its error is kept there.

@unsafe
func receiveBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ user: UnsafeMutableRawPointer?
) -> Int {
  guard let user = unsafe user else { return Int(CURL_WRITEFUNC_ERROR) }
  let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
  let length = size * count
  let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: length)
  return switch unsafe transfer.receive(piece) {
  case .taken: length
  case .paused: Int(CURL_WRITEFUNC_PAUSE)
  case .refused: Int(CURL_WRITEFUNC_ERROR)
  }
}

@unsafe
func receiveHeaderLine(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ user: UnsafeMutableRawPointer?
) -> Int {
  guard let user = unsafe user else { return Int(CURL_WRITEFUNC_ERROR) }
  let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
  let length = size * count
  let line = unsafe UnsafeRawBufferPointer(start: bytes, count: length)
  let accepted = unsafe transfer.receiveHeader(
    Span(_unsafeElements: line.assumingMemoryBound(to: UInt8.self)))
  return accepted ? length : Int(CURL_WRITEFUNC_ERROR)
}
