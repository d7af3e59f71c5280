internal import TextFormats

/// A text with slots in braces, such as `Bearer {FORUM_TOKEN}`; `{{` and `}}` stand for braces.
struct Template<Slot: Hashable & Sendable>: Hashable, Sendable {
  enum Piece: Hashable, Sendable {
    case text(String)
    case slot(Slot)
  }

  let pieces: [Piece]

  /// - Parameters:
  ///   - entry: The value that contains the text.
  ///   - slot: Reads what stands between two braces.
  init(
    _ text: some StringProtocol, at entry: JSONEntry,
    slot: (Substring) throws(DocumentError) -> Slot
  ) throws(DocumentError) {
    var pieces: [Piece] = []
    var plain = ""
    var rest = Substring(text)
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      plain += rest[..<brace]
      let character = rest[brace]
      rest = rest[rest.index(after: brace)...]
      if rest.first == character {
        plain.append(character)
        rest.removeFirst()
        continue
      }
      guard character == "{", let end = rest.firstIndex(of: "}") else {
        throw entry.fault(expected: "a closing brace for each opening one")
      }
      if !plain.isEmpty { pieces.append(.text(plain)) }
      plain = ""
      pieces.append(.slot(try slot(rest[..<end])))
      rest = rest[rest.index(after: end)...]
    }
    plain += rest
    if !plain.isEmpty { pieces.append(.text(plain)) }
    self.pieces = pieces
  }

  var slots: [Slot] {
    pieces.compactMap { piece in if case .slot(let slot) = piece { slot } else { nil } }
  }

  /// The text between the slots.
  var plain: String {
    pieces.map { piece in if case .text(let text) = piece { text } else { "" } }.joined()
  }

  /// The only slot, where the template is nothing else.
  var loneSlot: Slot? {
    if pieces.count == 1, case .slot(let slot) = pieces[0] { slot } else { nil }
  }

  /// The text with its slots filled; nil where one of them has no value.
  func filled(_ value: (Slot) -> String?) -> String? {
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let plain): text += plain
      case .slot(let slot):
        guard let value = value(slot) else { return nil }
        text += value
      }
    }
    return text
  }
}
