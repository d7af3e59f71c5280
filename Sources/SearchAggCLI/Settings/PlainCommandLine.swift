/// A command line in its plainest form: words, and options that are spelled as in the help, each value in
/// the next word or after an equals sign.
///
/// The argument parser makes its declarations by reflection, four times for one command line, which takes
/// longer than all the rest of a small run. Everyday command lines are therefore read here. All others
/// (mistakes, help, options in one word, words after `--`) are left to the parser, which alone knows what
/// to say about them.
struct PlainCommandLine: Hashable {
  /// The words that are not options or their values.
  private(set) var words: [String] = []
  /// The options that were given, by name.
  private(set) var texts: [String: String] = [:]

  /// Reads the words that follow the name of a command; nil if they are not in the plainest form.
  init?(_ arguments: ArraySlice<String>, options: [Setting]) {
    var rest = arguments
    while let word = rest.popFirst() {
      guard Self.looksLikeOption(word) else {
        words.append(word)
        continue
      }
      guard let (setting, value) = Self.option(word, among: options),
        take(setting, value, followedBy: &rest)
      else { return nil }
    }
  }

  private static func looksLikeOption(_ word: String) -> Bool {
    word.utf8.first == UInt8(ascii: "-") && word.utf8.count > 1
  }

  /// The setting that a word names, and the value after its equals sign.
  private static func option(
    _ word: String, among options: [Setting]
  ) -> (setting: Setting, value: String?)? {
    // By characters, as the parser does: an equals sign with an accent is not one.
    let name = word.prefix { $0 != "=" }
    let value = name.endIndex == word.endIndex ? nil : String(word[name.endIndex...].dropFirst())
    // The parser looks for an empty value in the next word.
    if value == "" { return nil }
    let setting =
      name.hasPrefix("--")
      ? options.first { $0.name == name.dropFirst(2) }
      : options.first { value == nil && name.utf8.count == 2 && $0.short == name.last }
    guard let setting, setting.places.contains(.option) else { return nil }
    return (setting, value)
  }

  /// Stores the text of an option; false without a value, or with one that the parser would not take.
  private mutating func take(
    _ setting: Setting, _ value: String?, followedBy rest: inout ArraySlice<String>
  ) -> Bool {
    if setting.form == .flag {
      texts[setting.name] = "true"
      return value == nil
    }
    guard let value = value ?? rest.popFirst().flatMap({ Self.looksLikeOption($0) ? nil : $0 })
    else { return false }
    if case .list = setting.form, let before = texts[setting.name] {
      texts[setting.name] = "\(before),\(value)"
    } else {
      texts[setting.name] = value
    }
    return true
  }
}
