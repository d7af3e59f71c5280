internal import FoundationEssentials

/// The table of what runs found for each tag.
struct TagTable {
  let database: Database

  func add(_ sighting: TagSighting, at now: Milliseconds) throws {
    try database.run(
      """
      INSERT INTO tag (name, raw, first_run, last_run, newest, found, posts)
      VALUES (:name, :raw, :now, :now, :newest, :found, :posts)
      ON CONFLICT DO UPDATE SET
        last_run = max(last_run, excluded.last_run),
        newest = coalesce(max(newest, excluded.newest), newest, excluded.newest),
        found = coalesce(excluded.found, found),
        posts = iif(excluded.found IS NULL, posts, excluded.posts)
      """,
      [
        ":name": .text(sighting.tag.tag), ":raw": .bool(sighting.tag.isRaw),
        ":now": .integer(now.count), ":newest": .date(sighting.newest),
        ":found": .integer(sighting.posts > 0 ? now.count : nil),
        ":posts": .integer(Int64(sighting.posts)),
      ])
  }

  func all() throws -> [TagKey: TagMemory] {
    var tags: [TagKey: TagMemory] = [:]
    try database.each("SELECT name, raw, first_run, newest, found, posts FROM tag") { row in
      tags[TagKey(tag: try row.text("name"), isRaw: try row.bool("raw"))] = TagMemory(
        firstRun: try row.knownDate("first_run"), newest: try row.date("newest"),
        lastFound: try row.date("found"), posts: Int(try row.integer("posts")))
      return true
    }
    return tags
  }

  func prune(before date: Milliseconds) throws {
    try database.run("DELETE FROM tag WHERE last_run < :bound", [":bound": .integer(date.count)])
  }
}
