import Testing

/// The rules between targets that the compiler does not check, checked by reading the sources.
@Suite struct ArchitectureTests {
  // Read once for all tests, since separating code from comments takes time.
  private static let read = Result { try SourceFile.all(below: "Sources") }
  private let sources: [SourceFile]

  init() throws {
    sources = try Self.read.get()
    try #require(sources.count > 10)
  }

  /// The folders in which a module may be imported, for modules with such a restriction.
  private let allowedFolders: [String: [String]] = [
    "CCurl": [
      "Sources/QueuedHTTP/Curl/", "Sources/QueuedHTTP/Transfers/", "Sources/QueuedHTTP/Wire/",
    ],
    "CZLib": ["Sources/QueuedHTTP/Wire/"],
    "CProcessor": ["Sources/SearchModel/Posts/", "Sources/TextFormats/Display/"],
    "CSimdJSON": ["Sources/TextFormats/JSON/"],
    // Foundation brings ICU: twice the memory, and a slower start.
    "Foundation": ["Sources/NetworkSimulator/", "Sources/searchagg-sim/"],
    "FlyingFox": ["Sources/NetworkSimulator/"],
    "FlyingSocks": ["Sources/NetworkSimulator/"],
    "CSQLite": ["Sources/PostHistory/SQLite/", "Sources/searchagg-bench/"],
    "CPostgres": ["Sources/SharedHistory/Postgres/"],
    "ArgumentParser": [
      "Sources/SearchAggCLI/", "Sources/searchagg-bench/", "Sources/searchagg-sim/",
    ],
  ]

  /// The targets that may access the outside world.
  private let worldly: Set<String> = ["SearchAggCLI", "searchagg-sim", "searchagg-bench"]

  /// Returns the lines whose code matches any of the patterns: `path:line: text`.
  private func places(of patterns: [String], in files: [SourceFile]) throws -> [String] {
    // By default a dot between letters is inside a word, as Unicode sees it.
    let expressions = try patterns.map { try Regex($0).wordBoundaryKind(.simple) }
    return files.flatMap { file in
      file.codeLines.enumerated().compactMap { index, line in
        expressions.contains { line.firstMatch(of: $0) != nil }
          ? "\(file.path):\(index + 1): \(file.lines[index])" : nil
      }
    }
  }

  @Test func `C modules and heavy ones are imported in their own folders only`() {
    var faults: [String] = []
    for file in sources {
      for (module, line) in file.imports {
        guard let folders = allowedFolders[module] else { continue }
        if !folders.contains(where: file.path.hasPrefix) {
          faults.append("\(file.path):\(line): \(module)")
        }
      }
    }
    #expect(faults == [])
  }

  /// Print, exit, arguments, environment, terminal, clock.
  private static let worldlyPatterns = [
    #"(^|[^\w.])(Swift\.)?(debugPrint|print|dump)\("#, #"(^|[^\w.])(Glibc\.)?_?exit\("#,
    #"\bCommandLine\."#, #"\bProcessInfo\b"#, #"(^|[^\w.])(secure_)?getenv\("#, #"\bisatty\b"#,
    #"\bDate\.now\b"#, #"\bDate\(\)"#,
  ]

  /// libcurl reads the proxy variables itself and does not say before version 8.7 which one it took, so
  /// the file that names a proxy in an error reads them, too.
  private let environmental: Set = ["Sources/QueuedHTTP/Transfers/ProxyFault.swift"]

  @Test(arguments: worldlyPatterns)
  func `Only the commands access the outside world`(pattern: String) throws {
    let pure = sources.filter { !worldly.contains($0.target) && !environmental.contains($0.path) }
    #expect(try places(of: [pattern], in: pure) == [])
  }

  @Test(arguments: [#"\btry!"#, #"\bas!\s"#, #"\bfatalError\("#])
  func `Nothing crashes in place of an error`(pattern: String) throws {
    #expect(try places(of: [pattern], in: sources) == [])
  }

  /// Foundation's `Process` hands a program descriptors of others that start at the same time.
  @Test func `Tests start programs as ChildProcess does`() throws {
    #expect(try places(of: [#"(^|[^\w.])Process\(\)"#], in: SourceFile.all(below: "Tests")) == [])
  }

  @Test func `No comment postpones work`() throws {
    // In comments above all, so the lines as they are written.
    let words: Set = ["TO" + "DO", "FIX" + "ME"]
    let faults = (sources + (try SourceFile.all(below: "Tests"))).flatMap { file in
      file.lines.enumerated().compactMap { index, line in
        // Whole words: one network's name holds one of them.
        line.split { !$0.isLetter }.contains { words.contains(String($0)) }
          ? "\(file.path):\(index + 1): \(line)" : nil
      }
    }
    #expect(faults == [])
  }

  @Test func `No file is longer than 700 lines`() throws {
    let long = (sources + (try SourceFile.all(below: "Tests"))).filter { $0.lines.count > 701 }
    #expect(long.map(\.path) == [])
  }

  @Test func `A file is named after the type that it declares or extends`() throws {
    var faults: [String] = []
    for file in sources {
      let type = file.name.prefix { $0 != "+" }
      let kinds = "(struct|enum|class|actor|protocol|typealias|extension)"
      // The top level is the first column, or indented once inside a condition.
      let declaration = "^(  )?([@a-z][\\w@()]* )*\(kinds) "
      // Functions alone may have any name.
      if try places(of: [declaration], in: [file]).isEmpty { continue }
      // The extended type may be the protocol of that name, or nested in it.
      let named = "\(declaration)(\\w+\\.)*\(type)(Protocol)?\\b"
      if try places(of: [named], in: [file]).isEmpty { faults.append(file.path) }
    }
    #expect(faults == [])
  }

  /// The folders of each target that has any, lowest first.
  private static let floors: [String: [String]] = [
    "QueuedHTTP": [
      "Units", "Messages", "Wire", "Queue", "Bodies", "Cache", "Curl", "Interceptors", "Observers",
      "Configuration", "Requests", "Transfers", "Client",
    ],
    "TextFormats": ["Encodings", "Dates", "Display", "JSON", "HTML", "XML"],
    "SearchSources": [
      "Query", "Contract", "Reading", "Adapters", "Paging", "Feeds", "Declared", "Networks",
    ],
    "SearchModel": ["Text", "Posts", "Queries", "Results", "Filters", "Merging"],
    "Application": [
      "World", "Files", "Settings", "Planning", "Delivery", "Run", "Merging", "Watch",
    ],
    "SearchAggCLI": ["World", "Settings", "Planning", "Help", "Completion", "Commands"],
    "PostHistory": ["SQLite", "Store", "Texts", "Tables"],
    "SharedHistory": ["Postgres", "Tables"],
    "NetworkSimulator": ["Corpus", "Wire", "Faults", "Networks", "Edge"],
  ]

  @Test func `Folders depend only on those below them`() throws {
    let built = sources.filter { $0.path.split(separator: "/").count > 3 }
    #expect(Set(built.map(\.target)) == Set(Self.floors.keys))
    for (target, folders) in Self.floors.sorted(by: { $0.key < $1.key }) {
      let layers = try Layers(folders, of: "Sources/\(target)/", in: sources)
      print("\(target): \(folders.joined(separator: " → "))")
      for fault in try layers.faults() { Issue.record("\(target): \(fault)") }
    }
  }

  @Test func `Upward and circular dependencies of folders are found`() throws {
    func file(_ path: String, _ code: String) -> SourceFile {
      let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
      return SourceFile(path: "Sources/A/\(path)", lines: lines, codeLines: lines)
    }
    let low = file("Low/One.swift", "struct One { let two: Two }")
    let high = file("High/Two.swift", "struct Two { let one: One }")
    let face = file("Face.swift", "public struct Face { let two: Two }")
    let part = file("Face+Part.swift", "extension Face {\n  struct Part {}\n}")
    func faults(_ files: SourceFile...) throws -> [String] {
      try Layers(["Low", "High"], of: "Sources/A/", in: files).faults()
    }
    #expect(try faults(low, high) == ["Low/One.swift uses High/Two.swift (Two)"])
    #expect(try faults(file("Low/One.swift", "struct One {}"), high) == [])
    // A member of that name is another type.
    #expect(try faults(file("Low/One.swift", "struct One { let two: Other.Two }"), high) == [])
    // By way of the root.
    let user = file("Low/One.swift", "struct One { let face: Face }")
    #expect(try faults(user, high, face) == ["Low/One.swift uses High/Two.swift (Face, Two)"])
    let partUser = file("Low/One.swift", "struct One { let part: Face.Part }")
    #expect(try faults(partUser, high, face, part) == [])
    #expect(try faults(file("Other/Three.swift", "struct Three {}")) == ["Other is no layer"])
  }

  /// The most files that may use one another in a circle: a value, its parts and what makes it.
  private static let largestCircle = 3

  @Test func `No circle of files is larger than three`() throws {
    for target in Set(sources.map(\.target)).sorted() {
      let circles = try Layers([], of: "Sources/\(target)/", in: sources).circles()
      for circle in circles where circle.count > Self.largestCircle {
        Issue.record("\(target): \(circle.joined(separator: ", "))")
      }
    }
  }

  @Test func `Circles of files are found`() throws {
    func circles(_ uses: KeyValuePairs<String, String>) throws -> [[String]] {
      let files = uses.map { name, others in
        let used = others.map { "let \($0.lowercased()): \($0)" }.joined(separator: "; ")
        let lines = ["struct \(name) { \(used) }"[...]]
        return SourceFile(path: "Sources/A/\(name).swift", lines: lines, codeLines: lines)
      }
      return try Layers([], of: "Sources/A/", in: files).circles()
    }
    #expect(try circles(["A": "BC", "B": "C", "C": ""]) == [])
    #expect(try circles(["A": "B", "B": "A", "C": "A"]) == [["A.swift", "B.swift"]])
    #expect(
      try circles(["A": "B", "B": "C", "C": "D", "D": "A", "E": "F", "F": "EA"])
        == [["A.swift", "B.swift", "C.swift", "D.swift"], ["E.swift", "F.swift"]])
  }

  @Test func `Every network is on the list`() throws {
    let list = try #require(sources.first { $0.path == "Sources/SearchSources/Sources.swift" })
    let listed = Set(list.codeLines.flatMap { $0.split { !$0.isLetter && !$0.isNumber } })
    let networks = sources.filter { $0.path.hasPrefix("Sources/SearchSources/Networks/") }
    let missing = networks.filter { !listed.contains($0.name.prefix { $0 != "+" }) }
    #expect(missing.map(\.path) == [])
  }

  @Test func `Every file that CONTRIBUTING.md names exists`() throws {
    let text = try SourceFile.text(of: "CONTRIBUTING.md")
    let names = text.split { !$0.isLetter && !$0.isNumber && !"+.".contains($0) }
      // `NAME.swift` and the like are to be replaced by the reader.
      .filter { $0.hasSuffix(".swift") && !$0.hasPrefix("NAME") }
    let files = Set((sources + (try SourceFile.all(below: "Tests"))).map { "\($0.name).swift" })
    #expect(names.count > 20)
    #expect(names.filter { !files.contains(String($0)) } == [])
  }

  @Test func `Every type and member that CONTRIBUTING.md names exists`() throws {
    let text = try SourceFile.text(of: "CONTRIBUTING.md")
    let names = text.matches(of: /`([A-Z]\w+)(?:\.([a-z]\w*))?(?:\(\))?`/).filter {
      $0.2 != "swift" && $0.1.contains(where: \.isLowercase)
    }
    #expect(names.count > 15)
    let words = sources.map(\.words)
    var missing: [Substring] = []
    for name in names {
      let type = try Regex(#"\b(struct|enum|class|protocol|extension) (\w+\.)*\#(name.1)\b"#)
      let homes = zip(sources, words).filter { file, words in
        words.contains(name.1) && file.codeLines.contains { $0.firstMatch(of: type) != nil }
      }
      .map(\.0)
      let member = try Regex(#"\b(func|var|let|case) \#(name.2 ?? "\\w+")\b"#)
      let isThere = homes.contains { file in
        file.codeLines.contains { $0.firstMatch(of: member) != nil }
      }
      if !isThere { missing.append(name.0) }
    }
    #expect(missing == [])
  }

  @Test(arguments: [
    ("print(1)", true), ("Swift.print(1)", true), ("a.print(1)", false), ("fingerprint(1)", false),
    ("exit(1)", true), ("Glibc._exit(1)", true), ("onexit(1)", false),
    ("CommandLine.arguments", true), ("Foundation.ProcessInfo.processInfo", true),
    ("x = getenv(name)", true), ("isatty(1)", true), ("{ Date.now.timeIntervalSince1970 }", true),
    ("Date()", true), ("HTTPDate()", false), ("// print(1)", false),
  ])
  func `The patterns find access to the outside world`(code: String, isWorldly: Bool) throws {
    let file = SourceFile(
      path: "Sources/A/B.swift", lines: [code[...]], codeLines: [SwiftCode.only(in: code)[...]])
    #expect(try places(of: Self.worldlyPatterns, in: [file]).isEmpty == !isWorldly)
  }

  @Test func `Only code is searched, not comments or the text of literals`() {
    let source = ##"""
      let a = "print(1) // no comment" // print(2)
      /* print(3) /* nested */
      print(4) */ let b = "\(f("x) print(5)", g: (1)))print(6)"
      let c = #"\(print(7)) " \#(h(8))"#; k(9)
      let d = """
        print(10) " \(m(11))
        """
      """##
    let expected = [
      #"let a = "" "#, "", #" let b = "(f("", g: (1)))""#, #"let c = "(h(8))"; k(9)"#,
      #"let d = ""#,
      "(m(11))", #"""#,
    ]
    let lines = SwiftCode.only(in: source).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.map { String($0) } == expected)
  }
}
