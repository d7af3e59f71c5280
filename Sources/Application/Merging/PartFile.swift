internal import FoundationEssentials
internal import Printing
internal import SafeFiles
internal import SearchModel
internal import TextFormats

/// The output of one part of a plan, as `run --shard` wrote it in json or ndjson, whose posts are read one
/// at a time.
struct PartFile {
  /// The contents of its last record.
  struct Closing {
    var part: PlanPart
    var now: Date
    /// One for each place of the part.
    var outcomes: [SearchOutcome]
    var excluded: FilterTally
    var alerts: [TagAlert]
  }

  /// A file that is not the output of a part; the reason follows its path.
  struct Fault: Error {
    let reason: String

    fileprivate static let notAPart = Fault(
      reason:
        "is not an output of run --shard; merge takes such files in json or ndjson, unchanged")
  }

  /// A post as it is in the file.
  struct Record {
    let post: Post
    /// The number of posts before it.
    let number: Int
    /// True if its date had not come yet when the part was run.
    let isFuture: Bool
  }

  /// The most bytes of a pipe, or of an object that is not laid out as searchagg does it.
  fileprivate static let largest = 8 << 30

  let name: String
  private let file: BlockFile
  private let blockSize: Int
  /// Nil where the file was cut off.
  private(set) var closing: Closing?
  private(set) var count = 0

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - name: Its path, as the user wrote it.
  ///   - blockSize: The number of bytes to read at once.
  init(_ name: String, at path: String, blockSize: Int) throws(FileReadError) {
    self.name = name
    self.blockSize = blockSize
    file = try BlockFile(path, streamLimit: Self.largest)
  }

  /// Reads the whole file, and calls `visit` with each post.
  mutating func read(_ visit: (Record) -> Void) throws {
    var records = records()
    while let record = try records.next() {
      count += 1
      visit(record)
    }
    closing = records.closing
    // Whoever needs a field that was left out names it.
    if records.lacksIdentity, closing?.part.fields == nil { throw Fault.notAPart }
  }

  /// Its posts, from the first to the last.
  func records() -> Records { Records(file, blockSize: blockSize) }

  /// The posts of a file as they are read.
  struct Records {
    private enum Layout {
      case unknown, lines
      /// One object, with a post on each line.
      case object
      /// One object in another layout, which was read at once.
      case whole([Record])
    }

    private let file: BlockFile
    private let lines: LineReader
    private var layout = Layout.unknown
    private var reader = RecordReader()
    private var count = 0
    /// The end of the part, with the facts about its run; nil if it was cut off before.
    private(set) var closing: Closing?
    /// True if a line lacks what identifies a post.
    private(set) var lacksIdentity = false

    init(_ file: BlockFile, blockSize: Int) {
      self.file = file
      lines = LineReader(file, blockSize: blockSize)
    }

    /// Returns the next post; nil after the last one, or where the file was cut off.
    mutating func next() throws -> Record? {
      if case .unknown = layout { try findLayout() }
      if case .whole(let posts) = layout {
        defer { count += 1 }
        return count < posts.count ? posts[count] : nil
      }
      while try !lines.isAtEnd() {
        var record: Record?
        let wasRead = try lines.next { line in
          do {
            record = try read(line)
            return true
          } catch is JSONError {
            return false
          }
        }
        if let record { return record }
        if wasRead == false {
          // The last line may be cut off; any other is not ours.
          guard try lines.isAtEnd() else { throw Fault.notAPart }
          return nil
        }
      }
      return nil
    }
  }
}

extension PartFile.Records {
  private static let beginning = Array(#"{"posts":["#.utf8)

  /// Looks at the first line: an object whose end is on a later line begins with its list of posts.
  private mutating func findLayout() throws {
    let first = LineReader(file, blockSize: 1 << 16)
    let line = try first.next { line in
      (
        isBeginning: line.elementsEqual(Self.beginning),
        isObject: line.first == UInt8(ascii: "{"),
        // Nil if it is not valid JSON on its own.
        hasPosts: try? JSON.read(padded: line) { $0["posts"] != nil }
      )
    }
    layout = .lines
    guard let line else { return }
    if line.isBeginning {
      layout = .object
      _ = try lines.next { _ in }
    } else if try line.hasPosts ?? (line.isObject && !first.isAtEnd()) {
      layout = .whole(try readWhole())
    }
  }

  /// Reads a line: a post, or the closing record, for which it returns nil.
  private mutating func read(_ line: UnsafeRawBufferPointer) throws -> PartFile.Record? {
    guard !line.isEmpty else { return nil }
    guard closing == nil else { throw PartFile.Fault(reason: "holds more than one run") }
    guard case .object = layout else {
      return try JSON.read(padded: line) { root in
        closing = closing(in: root)
        return closing == nil ? record(root) : nil
      }
    }
    if line.first == UInt8(ascii: "]") {
      // What follows the list of posts, as an object of its own.
      let members = Array("{".utf8) + line.dropFirst(2)
      closing = try Self.read(members) { closing(in: $0) }
      if closing == nil { throw PartFile.Fault.notAPart }
      return nil
    }
    let isFollowed = line.last == UInt8(ascii: ",")
    let post = UnsafeRawBufferPointer(rebasing: line.dropLast(isFollowed ? 1 : 0))
    return try JSON.read(padded: post) { record($0) }
  }

  private mutating func readWhole() throws -> [PartFile.Record] {
    let bytes = try file.bytes(at: 0, count: PartFile.largest)
    do {
      return try Self.read(bytes) { root in
        guard let list = root["posts"] else { throw PartFile.Fault.notAPart }
        let posts = list.elements.compactMap { record($0) }
        closing = closing(in: root)
        if closing == nil { throw PartFile.Fault.notAPart }
        count = 0
        return posts
      }
    } catch is JSONError {
      // Cut off within the object.
      return []
    }
  }

  private static func read<Value>(
    _ text: [UInt8], _ visit: (JSONNode) throws -> Value
  ) throws -> Value {
    try (text + repeatElement(0, count: JSON.spareBytes)).withUnsafeBytes { buffer in
      try JSON.read(padded: UnsafeRawBufferPointer(rebasing: buffer[..<text.count]), visit)
    }
  }

  /// Returns a post with its number; nil without what identifies it.
  private mutating func record(_ node: JSONNode) -> PartFile.Record? {
    guard let post = reader.post(node) else {
      lacksIdentity = true
      return nil
    }
    defer { count += 1 }
    return PartFile.Record(
      post: post, number: count, isFuture: node["future"]?.bool == true)
  }

  /// The greatest number that a part may count: the sum of all parts is an `Int`, too.
  private static let mostCounted = 1 << 48

  private mutating func closing(in root: JSONNode) -> PartFile.Closing? {
    guard let node = root["shard"], let (part, now) = RecordReader.part(node, most: Shard.most),
      let list = root["outcomes"]
    else { return nil }
    let kinds = (node["failures"]?.texts ?? []).map { Failure.Kind(rawValue: $0) }
    var outcomes: [SearchOutcome] = []
    for (index, node) in list.elements.enumerated() {
      let kind = index < kinds.count ? kinds[index] : nil
      guard let outcome = reader.outcome(node, kind: kind) else { return nil }
      outcomes.append(outcome)
    }
    guard outcomes.count == part.places.count else { return nil }
    var excluded = FilterTally()
    if let members = root["excluded"]?.members {
      for (key, value) in members {
        guard let reason = key.string.flatMap(FilterReason.init(rawValue:)),
          let count = value.integer.flatMap(Int.init(exactly:)),
          (0...Self.mostCounted).contains(count)
        else { continue }
        excluded.count(reason, times: count)
      }
    }
    var alerts: [TagAlert] = []
    if let list = root["alerts"] { alerts = list.elements.compactMap(RecordReader.alert) }
    return PartFile.Closing(
      part: part, now: now, outcomes: outcomes, excluded: excluded, alerts: alerts)
  }
}
