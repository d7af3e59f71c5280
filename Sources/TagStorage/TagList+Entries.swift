package import TextFormats

extension TagList {
  /// The list with some entries of a tags file, each as a text of JSON.
  package init(entries: [[UInt8]]) throws(DocumentError) {
    var text = Array(#"{"version":1,"tags":["#.utf8)
    text.reserveCapacity(entries.reduce(32) { $0 + $1.count + 1 })
    for (place, entry) in entries.enumerated() {
      if place > 0 { text.append(UInt8(ascii: ",")) }
      text += entry
    }
    text += Array("]}".utf8)
    try self.init(reading: text, acceptsList: false)
  }

  /// Its entries, each as a text of JSON.
  package var entries: [[UInt8]] { tags.map(\.json.bytes) }
}
