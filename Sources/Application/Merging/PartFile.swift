internal import FoundationEssentials
internal import Printing
internal import SafeFiles
internal import SearchModel
internal import TextFormats

/// The output of one part of a plan, as `run --shard` wrote it in json or ndjson.
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

  /// Why a file is not the output of a part.
  enum Fault: Error {
    case unreadable(FileReadError)
    /// It is something else.
    case other(String)
  }

  /// No output is larger.
  private static let largest = 8 << 30

  let path: String
  private(set) var posts: [Post] = []
  /// Nil where the file was cut off.
  private(set) var closing: Closing?
  private var reader = RecordReader()
  /// True if a record has not what identifies a post.
  private var lacksIdentity = false

  init(path: String, in surroundings: Surroundings) throws(Fault) {
    self.path = path
    var bytes: [UInt8]
    do throws(FileReadError) {
      bytes = try BoundedRead.bytes(
        of: surroundings.absolutePath(path), limit: Self.largest, allowsStreams: true)
    } catch {
      throw .unreadable(error)
    }
    let count = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: JSON.spareBytes))
    let fault = bytes.withUnsafeBytes { buffer -> Fault? in
      let text = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      do throws(Fault) {
        if Self.isOneObject(text) { try readObject(text) } else { try readLines(text) }
        return nil
      } catch {
        return error
      }
    }
    if let fault { throw fault }
    // Fields that were left out are named by those who need them.
    if lacksIdentity, closing?.part.fields == nil { throw .other(Self.notAPart) }
  }

  /// True for `json`, whose object ends on a later line than it begins.
  private static func isOneObject(_ text: UnsafeRawBufferPointer) -> Bool {
    let line = UnsafeRawBufferPointer(rebasing: text[..<(text.firstIndex(of: 0x0A) ?? text.count)])
    return (try? JSON.read(padded: line) { _ in true }) == nil && text.first == UInt8(ascii: "{")
      && line.count < text.count
  }

  private mutating func readObject(_ text: UnsafeRawBufferPointer) throws(Fault) {
    let isWhole: Bool
    do {
      isWhole = try JSON.read(padded: text) { root in
        guard let list = root["posts"] else { return false }
        for node in list.elements { add(node) }
        closing = closing(in: root)
        return closing != nil
      }
    } catch {
      // Cut off within the object.
      return
    }
    guard isWhole else { throw .other(Self.notAPart) }
  }

  private mutating func readLines(_ text: UnsafeRawBufferPointer) throws(Fault) {
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex(of: 0x0A) ?? text.count
      let line = UnsafeRawBufferPointer(rebasing: text[start..<end])
      start = end + 1
      guard !line.isEmpty else { continue }
      guard closing == nil else { throw .other("holds more than one run") }
      do {
        try JSON.read(padded: line) { root in
          closing = closing(in: root)
          if closing == nil { add(root) }
        }
      } catch {
        // The last line may be cut off; any other is not ours.
        guard start >= text.count else { throw .other(Self.notAPart) }
        return
      }
    }
  }

  private mutating func add(_ node: JSONNode) {
    if let post = reader.post(node) { posts.append(post) } else { lacksIdentity = true }
  }

  private static let notAPart =
    "is no whole output of run --shard: merge takes json and ndjson with all that --shard adds"

  private mutating func closing(in root: JSONNode) -> Closing? {
    guard let node = root["shard"], let (part, now) = RecordReader.part(node),
      let list = root["outcomes"]
    else { return nil }
    let kinds = RecordReader.texts(node["failures"]).map { Failure.Kind(rawValue: $0) }
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
          let count = value.integer.flatMap(Int.init(exactly:))
        else { continue }
        excluded.count(reason, times: count)
      }
    }
    var alerts: [TagAlert] = []
    if let list = root["alerts"] { alerts = list.elements.compactMap(RecordReader.alert) }
    return Closing(
      part: part, now: now, outcomes: outcomes, excluded: excluded, alerts: alerts)
  }
}
