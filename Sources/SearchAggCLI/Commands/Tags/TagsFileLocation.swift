internal import SafeFiles
internal import TagStorage

/// Where `tags.json` is.
struct TagsFileLocation: Hashable, Sendable {
  /// As people are told.
  let name: String
  /// As it is opened.
  let path: String
  /// The mode of folders that have to be made for it, before the user's mask.
  let folderMode: UInt32
  /// Whether nobody named it: it was found in the current folder, where other programs may have a file
  /// of that name.
  var isFoundInFolder = false

  var store: TagStore {
    TagStore(path: path, folderMode: folderMode, acceptsList: !isFoundInFolder)
  }

  /// The file that the option names, or the environment, or the one in the working directory, or the
  /// user's own; the last need not exist.
  static func find(
    option: String?, in context: Context
  ) throws(CommandFailure) -> TagsFileLocation {
    if let option {
      guard !option.isEmpty else { throw CommandFailure(.usage, "--tags-file names no file") }
      return named(option, in: context)
    }
    if let variable = context.variable("SEARCHAGG_TAGS_FILE") {
      return named(variable, in: context)
    }
    var local = named("./tags.json", in: context)
    local.isFoundInFolder = true
    if BoundedRead.isThere(local.path) { return local }
    guard let folder = ConfigurationFolder.path(in: context) else {
      throw CommandFailure(
        .unreadableInput, "no place for tags.json is known: set HOME, or give --tags-file")
    }
    let path = "\(folder)/tags.json"
    // The mode that the XDG Base Directory Specification asks for.
    return TagsFileLocation(name: path, path: path, folderMode: 0o700)
  }

  private static func named(_ name: String, in context: Context) -> TagsFileLocation {
    TagsFileLocation(name: name, path: context.absolutePath(name), folderMode: 0o777)
  }
}
