/// A table that gives each name a number; it keeps the numbers that it has looked up.
struct NameTable {
  private let database: Database
  private let select: String
  private let insert: String
  private var numbers: [String: Int64] = [:]

  /// The names of networks.
  static func sources(_ database: Database) -> NameTable {
    NameTable(
      database, select: "SELECT id FROM source WHERE name = :name",
      insert: "INSERT INTO source (name) VALUES (:name)")
  }

  /// The addresses of servers.
  static func servers(_ database: Database) -> NameTable {
    NameTable(
      database, select: "SELECT id FROM server WHERE address = :name",
      insert: "INSERT INTO server (address) VALUES (:name)")
  }

  private init(_ database: Database, select: String, insert: String) {
    self.database = database
    self.select = select
    self.insert = insert
  }

  /// The number of a name, which gets one if it has none yet.
  mutating func number(of name: String) throws -> Int64 {
    if let number = numbers[name] { return number }
    let number = try find(name) ?? add(name)
    numbers[name] = number
    return number
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
