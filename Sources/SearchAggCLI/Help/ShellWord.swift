internal import TextFormats

/// Words of the commands that messages advise.
enum ShellWord {
  /// A word as it is typed in a shell.
  static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      byte.isASCIILetterOrDigit
        || "@%+=:,./-_".utf8.contains(byte)
    }
    if isPlain, !word.isEmpty { return word }
    return "'\(word.replacing("'", with: #"'\''"#))'"
  }
}
