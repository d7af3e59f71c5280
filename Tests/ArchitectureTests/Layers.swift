/// The folders of a target as layers, and the types that their files name.
///
/// The root of the target is its public face. It is no layer of its own: what counts is which
/// folders a folder reaches, directly or by way of the root's files.
struct Layers {
  /// The folders, lowest first; each may use itself and those before it.
  let order: [String]
  private let root: String
  private let files: [SourceFile]
  /// The files that declare a type, by its name: `Name`, or `Name.Nested` if it is in an extension.
  private let declarations: [String: Set<Int>]

  /// - Parameter root: The folder of the target, such as `Sources/QueuedHTTP/`.
  init(_ order: [String], of root: String, in sources: [SourceFile]) throws {
    self.order = order
    self.root = root
    files = sources.filter { $0.path.hasPrefix(root) }
    var declarations: [String: Set<Int>] = [:]
    for (index, file) in files.enumerated() {
      for name in try Self.declaredTypes(in: file) { declarations[name, default: []].insert(index) }
    }
    self.declarations = declarations
  }

  /// The folder of a file; empty for the root.
  private func folder(of file: Int) -> String {
    let path = files[file].path.dropFirst(root.count)
    return path.contains("/") ? String(path.prefix { $0 != "/" }) : ""
  }

  /// The uses that break the order: `Low/File.swift uses High/Other.swift (Name)`, and folders that the
  /// order does not name.
  func faults() throws -> [String] {
    var faults: [String] = []
    let uses = try files.indices.map { try usedFiles(of: $0) }
    for file in files.indices {
      let folder = folder(of: file)
      guard !folder.isEmpty else { continue }
      guard let layer = order.firstIndex(of: folder) else {
        faults.append("\(folder) is no layer")
        continue
      }
      // By way of the root: what its files name belongs to whoever names them.
      var way: [Int: String] = [:]
      var open = [file]
      var seen: Set = [file]
      while let next = open.popLast() {
        for (used, name) in uses[next] where seen.insert(used).inserted {
          way[used] = (way[next].map { "\($0), " } ?? "") + name
          if self.folder(of: used).isEmpty {
            open.append(used)
          } else if let other = order.firstIndex(of: self.folder(of: used)), other > layer {
            faults.append(
              "\(files[file].path.dropFirst(root.count)) uses "
                + "\(files[used].path.dropFirst(root.count)) (\(way[used] ?? name))")
          }
        }
      }
    }
    return faults.sorted()
  }

  /// The largest circles of files that use one another, each with the names of its files: in a circle, every
  /// file reaches every other.
  func circles() throws -> [[String]] {
    let uses = try files.indices.map { Set(try usedFiles(of: $0).keys) }
    let reached = files.indices.map { start in
      var seen: Set<Int> = []
      var open = [start]
      while let next = open.popLast() {
        for used in uses[next] where seen.insert(used).inserted { open.append(used) }
      }
      return seen
    }
    var circles: [[String]] = []
    var placed: Set<Int> = []
    for file in files.indices where !placed.contains(file) && reached[file].contains(file) {
      let circle = files.indices.filter { reached[file].contains($0) && reached[$0].contains(file) }
      placed.formUnion(circle)
      circles.append(circle.map { String(files[$0].path.dropFirst(root.count)) })
    }
    return circles.sorted { $0.count > $1.count }
  }

  /// The other files that declare the types that a file names, each with one such name.
  private func usedFiles(of file: Int) throws -> [Int: String] {
    // A name behind a dot is a member, perhaps of another module's type.
    let expression = try Regex<(Substring, Substring)>(#"(?:^|[^\w.])([A-Z]\w*(?:\.[A-Z]\w*)*)"#)
      .wordBoundaryKind(.simple)
    // To extend a type is not to use it: what matters is what the extension names.
    let header = try Regex<Substring>(#"^(?:[@a-z][\w@()]* )*extension [\w.]+"#)
    var used: [Int: String] = [:]
    for line in files[file].codeLines {
      let code = line.firstMatch(of: header).map { line[$0.range.upperBound...] } ?? line
      for match in code.matches(of: expression) {
        var parts = match.output.1.split(separator: ".").map(String.init)
        while !parts.isEmpty {
          let name = parts.joined(separator: ".")
          if let declaring = declarations[name] {
            if !declaring.contains(file) { for other in declaring { used[other] = name } }
            break
          }
          parts.removeLast()
        }
      }
    }
    return used
  }

  private static func declaredTypes(in file: SourceFile) throws -> Set<String> {
    let kinds = "(?:struct|enum|class|actor|protocol|typealias)"
    let modifiers = #"(?:[@a-z][\w@()]* )*"#
    let top = try Regex<(Substring, Substring)>("^(?:  )?\(modifiers)\(kinds) (\\w+)")
    let extended = try Regex<(Substring, Substring)>("^\(modifiers)extension ([\\w.]+)")
    let nested = try Regex<(Substring, Substring)>("^  \(modifiers)\(kinds) (\\w+)")
    var names: Set<String> = []
    var depth = 0
    var extendedType: Substring?
    for line in file.codeLines {
      // Conditions that stand around a declaration have no braces, and move it by one step.
      if depth == 0 {
        if let match = line.firstMatch(of: extended) {
          extendedType = match.output.1
        } else if let match = line.firstMatch(of: top) {
          extendedType = nil
          if !line.contains("private ") { names.insert(String(match.output.1)) }
        }
      } else if depth == 1, let extendedType, let match = line.firstMatch(of: nested) {
        names.insert("\(extendedType).\(match.output.1)")
      }
      depth += line.count { $0 == "{" } - line.count { $0 == "}" }
    }
    return names
  }
}
