internal import ArgumentParser

/// The one line that says what is wrong with a command line, and where its help is.
///
/// The parser's own message repeats the help of the option and the synopsis of the command, five lines
/// in all; whoever wants them is told how to ask.
enum UsageLine {
  static func text(for error: any Error) -> String {
    let message = SearchAgg.message(for: error)
      .replacing(". Did you", with: "; did you").replacing(". Please", with: "; please")
    var line = message.prefix(1).lowercased() + message.dropFirst()
    if line.hasSuffix(".") { line.removeLast() }
    return line + (line.hasSuffix("?") ? " See: " : "; see: ") + helpCommand(for: error)
  }

  /// The command that shows the help, as the last line of the parser's message names it.
  private static func helpCommand(for error: any Error) -> Substring {
    let message = SearchAgg.fullMessage(for: error)
    guard let start = message.ranges(of: "See 'searchagg").last?.lowerBound,
      let end = message[start...].firstRange(of: "--help")?.upperBound
    else { return "searchagg --help" }
    return message[message.index(start, offsetBy: 5)..<end]
  }
}
