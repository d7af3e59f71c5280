import TagStorage
import TextFormats

/// `tags.json` and imports.
enum TagsTarget {
  static func read(_ input: [UInt8]) -> Int32 {
    do {
      check(try TagList(reading: input))
    } catch {
      // Errors have a line and a column, which begin at 1.
      guard let fault = error as? DocumentError else { preconditionFailure("\(error)") }
      precondition(fault.position.line >= 1 && fault.position.column >= 1, "\(fault)")
    }
    _ = try? TagImport(reading: input)
    return 0
  }

  private static func check(_ list: TagList) {
    // Written lists read back as the same.
    let written = list.json.fileBytes
    guard let again = try? TagList(reading: written) else {
      preconditionFailure(String(decoding: written, as: UTF8.self))
    }
    precondition(again.tags == list.tags, String(decoding: written, as: UTF8.self))
    precondition(again.json.fileBytes == written, String(decoding: written, as: UTF8.self))
    let exported = list.export.fileBytes
    guard let export = try? TagList(reading: exported) else {
      preconditionFailure(String(decoding: exported, as: UTF8.self))
    }
    precondition(export.tags.map(\.query) == list.tags.map(\.query))
    precondition(list.removing(presentOf: list.tags.map(\.query)).list.tags.isEmpty)
  }
}
