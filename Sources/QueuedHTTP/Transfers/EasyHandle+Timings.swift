internal import CCurl

extension EasyHandle {
  /// The timings of the exchange that has ended.
  ///
  /// - Parameter earlier: The time that the exchanges before it took.
  func timings(after earlier: Duration) -> Timings {
    var timings = Timings()
    let lookup = offset(CURLINFO_NAMELOOKUP_TIME_T)
    let connect = offset(CURLINFO_CONNECT_TIME_T)
    let tls = offset(CURLINFO_APPCONNECT_TIME_T)
    timings.nameLookupNanoseconds = Int64(lookup) * 1000
    // 0 means no connection, so even the fastest one counts as a microsecond.
    timings.connectNanoseconds = connect > 0 ? Int64(max(1, connect - lookup)) * 1000 : 0
    timings.tlsNanoseconds = Int64(max(0, tls - connect)) * 1000
    let earlierHops = Int64(earlier / .nanoseconds(1))
    let firstByte = offset(CURLINFO_STARTTRANSFER_TIME_T)
    timings.firstByteNanoseconds = earlierHops + Int64(firstByte) * 1000
    timings.totalNanoseconds = earlierHops + Int64(offset(CURLINFO_TOTAL_TIME_T)) * 1000
    timings.bytesOnWire = offset(CURLINFO_SIZE_DOWNLOAD_T)
    return timings
  }

  /// True if neither a length nor chunks nor frames say where the body ends (RFC 9112, section 6.3).
  func endsWithConnection(_ fields: HTTPHeaders) -> Bool {
    protocolVersion.map { $0.major < 2 } == true
      && offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T) < 0 && fields["Transfer-Encoding"] == nil
  }
}
