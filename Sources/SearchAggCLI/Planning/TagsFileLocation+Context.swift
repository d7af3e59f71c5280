internal import Application
internal import SafeFiles
internal import SearchModel
internal import SharedHistory
internal import TagStorage
internal import TextFormats

extension TagsFileLocation {
  /// Returns the file named by the option or the environment, or the one in the working directory, or
  /// the user's own, which need not exist.
  static func find(
    option: String?, in context: Context
  ) throws -> TagsFileLocation {
    if let option {
      guard !option.isEmpty else { throw CommandFailure(.usage, "--tags-file: expected a file") }
      return named(option, in: context)
    }
    if let variable = context.variable("SEARCHAGG_TAGS_FILE") {
      return named(variable, in: context)
    }
    var local = named("./tags.json", in: context)
    local.isFoundInFolder = true
    if BoundedRead.canLook(into: context.workingDirectory), BoundedRead.isThere(local.path) {
      return local
    }
    guard let folder = ConfigurationFolder.path(in: context) else {
      throw CommandFailure(
        .unreadableInput, "cannot tell where tags.json is: set HOME, or use --tags-file")
    }
    let path = "\(folder)/tags.json"
    // The mode that the XDG Base Directory Specification asks for.
    return TagsFileLocation(name: path, path: path, folderMode: 0o700)
  }

  private static func named(_ name: String, in context: Context) -> TagsFileLocation {
    if let address = SharedAddress(name) {
      return TagsFileLocation(
        name: address.name, path: address.name, folderMode: 0o777, address: address)
    }
    return TagsFileLocation(name: name, path: context.absolutePath(name), folderMode: 0o777)
  }

  /// Returns the tags, and warns about names that resemble known ones.
  func load(in context: Context) throws -> TagList {
    let list = try load()
    MisspelledNames.warn(of: list, in: self, context)
    return list
  }

  /// Changes the tags and returns the result of the change.
  func change<Outcome>(
    in context: Context, _ change: (TagList) throws -> (TagList, Outcome)
  ) throws -> Outcome {
    var old = TagList()
    // Only once, although a change may be tried before the lock is taken.
    defer { MisspelledNames.warn(of: old, in: self, context) }
    return try self.change { list in
      old = list
      return try change(list)
    }
  }
}

/// The option that names the file of the tags.
enum TagsFileOption: SettingSelection {
  static let settings = Setting.only(["tags-file"])
}

typealias TagsFileOptions = SettingOptions<TagsFileOption>

extension TagsFileOptions {
  /// The file that the option, the environment or the user's configuration names.
  func location(in context: Context) throws -> TagsFileLocation {
    let option = try texts["tags-file"].map { text in
      try HistorySettings.fileOrDatabase(text, from: .option("tags-file"))
    }
    if option != nil || context.variable("SEARCHAGG_TAGS_FILE") != nil {
      return try TagsFileLocation.find(option: option, in: context)
    }
    let configuration = try Configuration.personal(in: context)
    return try TagsFileLocation.find(option: configuration.text(of: "tags-file")?.text, in: context)
  }
}
