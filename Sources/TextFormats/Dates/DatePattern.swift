package import FoundationEssentials

/// A format of dates in UTC, such as `YYYYMMDDThhmmssZ`.
///
/// `YYYY`, `MM`, `DD`, `hh`, `mm` and `ss` are numbers of that many digits; everything else is itself.
package struct DatePattern: Hashable, Sendable {
  private enum Part: String, CaseIterable, Sendable {
    case year = "YYYY"
    case month = "MM"
    case day = "DD"
    case hour = "hh"
    case minute = "mm"
    case second = "ss"

    var place: WritableKeyPath<CivilTime, Int> {
      switch self {
      case .year: \.year
      case .month: \.month
      case .day: \.day
      case .hour: \.hour
      case .minute: \.minute
      case .second: \.second
      }
    }
  }

  private enum Piece: Hashable, Sendable {
    case number(Part)
    case literal(String)
  }

  private let pieces: [Piece]
  /// The precision of the format in seconds; a month and a year count as a day.
  package let unit: Double

  /// Creates a format; nil unless it names a day, and at least in part a time of day with its hour.
  package init?(_ text: some StringProtocol) {
    var pieces: [Piece] = []
    var literal = ""
    var rest = Substring(text)
    while let character = rest.first {
      if let part = Part.allCases.first(where: { rest.hasPrefix($0.rawValue) }) {
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        literal = ""
        pieces.append(.number(part))
        rest.removeFirst(part.rawValue.count)
      } else {
        literal.append(character)
        rest.removeFirst()
      }
    }
    if !literal.isEmpty { pieces.append(.literal(literal)) }
    let parts = pieces.compactMap { if case .number(let part) = $0 { part } else { nil } }
    guard parts.count == Set(parts).count, [.year, .month, .day].allSatisfy(parts.contains) else {
      return nil
    }
    switch (parts.contains(.hour), parts.contains(.minute), parts.contains(.second)) {
    case (false, false, false): unit = 86_400
    case (true, false, false): unit = 3600
    case (true, true, false): unit = 60
    case (true, true, true): unit = 1
    default: return nil
    }
    self.pieces = pieces
  }

  /// Returns a date in this format, which must lie in the years 1 to 9999.
  package func text(of date: Date) -> String {
    // `2026-11-21T09:00:00.000Z`.
    let digits = RFC3339.format(date)
    func number(_ part: Part) -> Substring {
      let start =
        switch part {
        case .year: 0
        case .month: 5
        case .day: 8
        case .hour: 11
        case .minute: 14
        case .second: 17
        }
      return digits.dropFirst(start).prefix(part.rawValue.count)
    }
    return pieces.reduce(into: "") { text, piece in
      switch piece {
      case .number(let part): text += number(part)
      case .literal(let literal): text += literal
      }
    }
  }

  /// Reads a date in this format; nil for anything else.
  package func date(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { bytes -> Date? in
      var scanner = unsafe DateScanner(bytes)
      var time = CivilTime()
      for piece in pieces {
        switch piece {
        case .literal(let literal):
          for byte in literal.utf8 where !scanner.take(byte) { return nil }
        case .number(let part):
          guard let number = scanner.number(digits: part.rawValue.count) else { return nil }
          time[keyPath: part.place] = number
        }
      }
      return scanner.isAtEnd ? time.date : nil
    }
  }
}
