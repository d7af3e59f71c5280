extension UInt8 {
  /// True for a digit of ASCII.
  @inlinable package var isASCIIDigit: Bool { self &- 0x30 < 10 }

  /// True for a letter of ASCII, in lower or upper case.
  @inlinable package var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }

  @inlinable package var isASCIILetterOrDigit: Bool { isASCIILetter || isASCIIDigit }

  /// True for a blank, a tab or a line break of ASCII.
  @inlinable package var isASCIIBlank: Bool { self == 0x20 || self &- 0x09 < 5 }

  /// A letter of ASCII in lower case; any other byte as it is.
  @inlinable package var lowercasedASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
