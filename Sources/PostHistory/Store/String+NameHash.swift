extension String {
  /// A short name for a text: different texts need different names, and that is all. FNV-1a, in
  /// hexadecimal digits.
  var nameHash: String {
    let hash = utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16)
  }
}
