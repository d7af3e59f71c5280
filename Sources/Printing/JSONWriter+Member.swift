internal import FoundationEssentials
internal import TextFormats

extension JSONWriter {
  /// Writes a member whose text is not ours; none when it is nil.
  mutating func member(_ name: String, _ text: String?) {
    guard let text else { return }
    key(name)
    visibleString(text)
  }

  /// Writes a date as RFC 3339; none when it is nil or cannot be written so.
  mutating func member(_ name: String, _ date: Date?) {
    guard let date, RFC3339.canWrite(date) else { return }
    key(name)
    string(RFC3339.format(date))
  }

  mutating func member(_ name: String, _ number: Int?) {
    guard let number else { return }
    key(name)
    integer(number)
  }

  mutating func member(_ name: String, _ value: Bool) {
    key(name)
    bool(value)
  }

  /// Writes a list of texts; none when it is empty.
  mutating func member(_ name: String, _ texts: [String]) {
    guard !texts.isEmpty else { return }
    key(name)
    beginArray()
    for text in texts { visibleString(text) }
    endArray()
  }
}
