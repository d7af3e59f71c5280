internal import TextFormats

/// A text with slots in braces, such as `Bearer {FORUM_TOKEN}`; `{{` and `}}` are literal braces.
///
/// `{date|2000}` is a slot with a default. `{?&to={until}}` is an optional part: it is left out if one of
/// its slots has neither a value nor a default, or if none has a value. `{&, }` is a joiner, which is
/// written only between two pieces that are both there.
struct Template<Slot: Sendable>: Sendable {
  indirect enum Piece: Sendable {
    case text(String)
    case slot(Slot, default: String?)
    case part(Template)
    case joiner(String)
  }

  let pieces: [Piece]

  init(pieces: [Piece]) { self.pieces = pieces }

  /// - Parameters:
  ///   - entry: The value that contains the text.
  ///   - slot: Reads the text between two braces.
  init(
    _ text: some StringProtocol, at entry: JSONEntry,
    slot: (Substring) throws(DocumentError) -> Slot
  ) throws(DocumentError) {
    var remainder = Substring(text)
    pieces = try Self.pieces(&remainder, depth: 0, at: entry, slot: slot)
  }

  /// Optional parts within one another; what is beyond is a mistake.
  private static var deepest: Int { 8 }

  private static func pieces(
    _ remainder: inout Substring, depth: Int, at entry: JSONEntry,
    slot: (Substring) throws(DocumentError) -> Slot
  ) throws(DocumentError) -> [Piece] {
    var pieces: [Piece] = []
    var plain = ""
    func close() {
      if !plain.isEmpty { pieces.append(.text(plain)) }
      plain = ""
    }
    while let character = remainder.popFirst() {
      switch (character, remainder.first) {
      case ("}", _) where depth > 0:
        close()
        return pieces
      case ("{", "{"), ("}", "}"): plain.append(remainder.removeFirst())
      case ("{", "?") where depth < deepest:
        remainder.removeFirst()
        close()
        let part = Template(
          pieces: try self.pieces(&remainder, depth: depth + 1, at: entry, slot: slot))
        guard !part.slots.isEmpty else {
          throw entry.fault(expected: "a placeholder in each optional part {?…}")
        }
        pieces.append(.part(part))
      case ("{", _):
        guard let end = remainder.firstIndex(of: "}") else { throw entry.fault(expected: unclosed) }
        let inner = remainder[..<end]
        remainder = remainder[remainder.index(after: end)...]
        close()
        pieces.append(try piece(inner, slot: slot))
      case ("}", _): throw entry.fault(expected: unclosed)
      default: plain.append(character)
      }
    }
    guard depth == 0 else { throw entry.fault(expected: unclosed) }
    close()
    return pieces
  }

  private static var unclosed: String { "a closing brace for each opening one" }

  private static func piece(
    _ inner: Substring, slot: (Substring) throws(DocumentError) -> Slot
  ) throws(DocumentError) -> Piece {
    if inner.hasPrefix("&") { return .joiner(String(inner.dropFirst())) }
    guard let bar = inner.firstIndex(of: "|") else { return .slot(try slot(inner), default: nil) }
    return .slot(
      try slot(inner[..<bar]), default: String(inner[inner.index(after: bar)...]))
  }

  var slots: [Slot] {
    pieces.flatMap { piece -> [Slot] in
      switch piece {
      case .slot(let slot, _): [slot]
      case .part(let part): part.slots
      case .text, .joiner: []
      }
    }
  }

  /// The slots whose lack of a value leaves the whole template without one.
  var requiredSlots: [Slot] {
    pieces.compactMap { if case .slot(let slot, default: nil) = $0 { slot } else { nil } }
  }

  /// The text between the slots.
  var plain: String {
    pieces.map { piece in
      switch piece {
      case .text(let text), .joiner(let text): text
      case .part(let part): part.plain
      case .slot(_, let fallback): fallback ?? ""
      }
    }.joined()
  }

  /// The only slot, where the template is nothing else.
  var loneSlot: Slot? {
    if pieces.count == 1, case .slot(let slot, _) = pieces[0] { slot } else { nil }
  }

  /// Returns the text with its slots filled; nil if a slot outside the optional parts has no value, or if
  /// there is nothing but optional parts and none of them is there.
  func filled(_ value: (Slot) -> String?) -> String? {
    // Most are a text or a slot alone.
    if pieces.count == 1 {
      switch pieces[0] {
      case .text(let plain): return plain
      case .slot(let slot, let fallback): return value(slot) ?? fallback
      case .part, .joiner: break
      }
    }
    var filling = Filling()
    guard fill(&filling, value) else { return nil }
    let isOptional = pieces.allSatisfy { piece in
      switch piece {
      case .part, .joiner: true
      case .text, .slot: false
      }
    }
    return isOptional && filling.text.isEmpty && !pieces.isEmpty ? nil : filling.text
  }

  private struct Filling {
    private(set) var text = ""
    private var joiner: String?
    /// The number of slots with a value that is no default.
    var values = 0

    mutating func add(_ piece: String) {
      guard !piece.isEmpty else { return }
      if let joiner, !text.isEmpty { text += joiner }
      joiner = nil
      text += piece
    }

    mutating func join(by joiner: String) { self.joiner = joiner }
  }

  /// Returns false if a slot outside the optional parts has no value.
  private func fill(_ filling: inout Filling, _ value: (Slot) -> String?) -> Bool {
    for piece in pieces {
      switch piece {
      case .text(let plain): filling.add(plain)
      case .joiner(let joiner): filling.join(by: joiner)
      case .slot(let slot, let fallback):
        if let value = value(slot) {
          filling.add(value)
          filling.values += 1
        } else if let fallback {
          filling.add(fallback)
        } else {
          return false
        }
      case .part(let part):
        var inner = Filling()
        if part.fill(&inner, value), inner.values > 0 {
          filling.add(inner.text)
          filling.values += inner.values
        }
      }
    }
    return true
  }
}
