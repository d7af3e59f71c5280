/// A table that gives each name a number; it keeps the numbers that it has looked up.
struct NameTable {
  private let database: Database
  private let select: String
  private let selectAll: String
  private let insert: String
  private var numbers: [String: Int64] = [:]
  /// The name that was asked for last: posts of one server come one after the other.
  private var last: (name: String, number: Int64)?

  /// The names of networks.
  static func sources(_ database: Database) -> NameTable {
    NameTable(
      database, select: "SELECT id FROM source WHERE name = :name",
      selectAll: "SELECT id, name FROM source",
      insert: "INSERT INTO source (name) VALUES (:name)")
  }

  /// The addresses of servers.
  static func servers(_ database: Database) -> NameTable {
    NameTable(
      database, select: "SELECT id FROM server WHERE address = :name",
      selectAll: "SELECT id, address AS name FROM server",
      insert: "INSERT INTO server (address) VALUES (:name)")
  }

  private init(_ database: Database, select: String, selectAll: String, insert: String) {
    self.database = database
    self.select = select
    self.selectAll = selectAll
    self.insert = insert
  }

  /// The number of a name, which gets one if it has none yet.
  mutating func number(of name: String) throws -> Int64 {
    if let last, last.name == name { return last.number }
    let number = try numbers[name] ?? find(name) ?? add(name)
    numbers[name] = number
    last = (name, number)
    return number
  }

  /// All names by their numbers.
  func names() throws -> [Int64: String] {
    var names: [Int64: String] = [:]
    try database.each(selectAll) { row in
      names[try row.integer("id")] = try row.text("name")
      return true
    }
    return names
  }

  /// The number of a name; nil if it has none.
  func find(_ name: String) throws -> Int64? {
    try database.first(select, [":name": .text(name)]) { try $0.integer("id") }
  }

  private func add(_ name: String) throws -> Int64 {
    try database.run(insert, [":name": .text(name)])
    return database.lastInsertedNumber
  }
}
