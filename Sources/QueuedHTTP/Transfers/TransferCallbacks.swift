internal import CCurl
internal import Glibc

// Callbacks for libcurl. C functions can neither capture nor throw: the transfer is passed as user data,
// and it stores the error.

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

@unsafe
func sendBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ user: UnsafeMutableRawPointer?
) -> Int {
  guard let user = unsafe user else { return Int(CURL_READFUNC_ABORT) }
  let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
  let room = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
  return switch unsafe transfer.send(into: room) {
  case .bytes(let count): count
  case .later: Int(CURL_READFUNC_PAUSE)
  case .end: 0
  case .failed: Int(CURL_READFUNC_ABORT)
  }
}

@unsafe
func seekBody(_ user: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32) -> Int32 {
  guard let user = unsafe user, offset == 0, origin == SEEK_SET else {
    return CURL_SEEKFUNC_CANTSEEK
  }
  let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
  return transfer.rewind() ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_CANTSEEK
}

@unsafe
func allowSending(
  _ user: UnsafeMutableRawPointer?, _ server: UnsafeMutablePointer<CChar>?,
  _ local: UnsafeMutablePointer<CChar>?, _ serverPort: Int32, _ localPort: Int32
) -> Int32 {
  guard let user = unsafe user else { return CURL_PREREQFUNC_ABORT }
  let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
  let connection = unsafe server.flatMap {
    unsafe OpenSockets.Connection(localPort: localPort, server: $0, port: serverPort)
  }
  guard transfer.maySend(over: connection) else { return CURL_PREREQFUNC_ABORT }
  transfer.noteConnection()
  return CURL_PREREQFUNC_OK
}

@unsafe
func noteProgress(
  _ user: UnsafeMutableRawPointer?, _ expected: curl_off_t, _ received: curl_off_t,
  _ toSend: curl_off_t, _ sent: curl_off_t
) -> Int32 {
  guard let user = unsafe user else { return 0 }
  let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
  if sent > 0 { transfer.noteSent(Int(sent), of: toSend > 0 ? Int(toSend) : nil) }
  return 0
}

@unsafe
func openSocket(
  _ user: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
  _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let user = unsafe user, let address = unsafe address else { return -1 }
  return unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue().open(address)
}

@unsafe
func closeSocket(_ user: UnsafeMutableRawPointer?, _ descriptor: curl_socket_t) -> Int32 {
  guard let user = unsafe user else { return close(descriptor) }
  let sockets = unsafe Unmanaged<OpenSockets>.fromOpaque(user).takeUnretainedValue()
  return sockets.close(descriptor)
}
