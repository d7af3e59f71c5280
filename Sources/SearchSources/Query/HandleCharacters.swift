/// Which names people can have on a network, by their characters.
enum HandleCharacters {
  /// Whether a name has only letters and digits of ASCII and some signs, and not too many of them.
  static func areAll(
    _ name: String, signs: String, count: ClosedRange<Int> = 1...64
  ) -> Bool {
    count.contains(name.utf8.count)
      && name.allSatisfy { character in
        character.isASCII && (character.isLetter || character.isNumber) || signs.contains(character)
      }
  }
}
