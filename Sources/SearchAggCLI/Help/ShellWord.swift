/// Words of the commands that messages advise.
enum ShellWord {
  /// A word as it is typed in a shell.
  static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "@%+=:,./-_".utf8.contains(byte)
    }
    if isPlain, !word.isEmpty { return word }
    return "'\(word.replacing("'", with: #"'\''"#))'"
  }
}
