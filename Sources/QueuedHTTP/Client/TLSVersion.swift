/// A version of TLS.
public enum TLSVersion: Sendable, Hashable, CaseIterable {
  /// TLS 1.2 (RFC 5246).
  case tls1_2
  /// TLS 1.3 (RFC 8446).
  case tls1_3
}
