internal import SearchModel
internal import TextFormats

/// The JSON Schema (draft 2020-12) of `json`, with the lines of `ndjson` as a definition of its own.
package enum PostSchema {
  /// The schema as a file.
  package static var text: String { String(decoding: schema.fileBytes, as: UTF8.self) }

  private static var schema: JSONValue {
    .members([
      "$schema": .string("https://json-schema.org/draft/2020-12/schema"),
      "$id": .string("https://github.com/searchagg/searchagg/schema/posts.json"),
      "title": .string("Posts as searchagg prints them"),
      "description": .string(
        "The object that --format json prints, but for --posts-only, --fields and --count-by. A line of --format ndjson is $defs/line."
      ),
      "type": .string("object"),
      "properties": .members([
        "posts": .members(["type": .string("array"), "items": reference("post")]),
        "outcomes": reference("outcomes"),
        "incomplete": reference("incomplete"),
        "excluded": reference("excluded"),
        "alerts": reference("alerts"),
        "total": reference("total"),
        "shard": reference("shard"),
      ]),
      "required": names(["posts", "outcomes", "incomplete"]),
      "additionalProperties": .bool(false),
      "$defs": .members([
        "line": .members(["anyOf": .array([reference("post"), reference("closing")])]),
        "closing": .members([
          "description": .string("The last line of ndjson."),
          "type": .string("object"),
          "properties": .members([
            "outcomes": reference("outcomes"),
            "incomplete": reference("incomplete"),
            "excluded": reference("excluded"),
            "alerts": reference("alerts"),
            "total": reference("total"),
            "shard": reference("shard"),
          ]),
          "required": names(["outcomes", "incomplete"]),
          "additionalProperties": .bool(false),
        ]),
        "post": post,
        "attachment": attachment,
        "outcomes": .members(["type": .string("array"), "items": reference("outcome")]),
        "outcome": outcome,
        "incomplete": .members([
          "description": .string("whether posts may be missing; the outcomes say where"),
          "type": .string("boolean"),
        ]),
        "excluded": .members([
          "description": .string("the number of posts that each filter of the run left out"),
          "type": .string("object"),
          "additionalProperties": .members(["type": .string("integer")]),
        ]),
        "alerts": .members([
          "description": .string(
            "what is unusual about the posts of a tag; left out if nothing is"),
          "type": .string("array"), "items": alert,
        ]),
        "total": .members([
          "description": .string(
            "the number of posts that these are the newest of; left out where none is missing"),
          "type": .string("integer"),
        ]),
        "shard": shard,
      ]),
    ])
  }

  private static var shard: JSONValue {
    let integer = JSONValue.members(["type": .string("integer")])
    let strings = JSONValue.members([
      "type": .string("array"), "items": .members(["type": .string("string")]),
    ])
    return .members([
      "description": .string(
        "the part of a plan that was run with --shard, for searchagg merge"),
      "type": .string("object"),
      "properties": .members([
        "part": integer, "parts": integer, "plan": .members(["type": .string("string")]),
        "now": .members(["type": .string("string"), "format": .string("date-time")]),
        "newest": integer, "fields": strings,
        "places": .members(["type": .string("array"), "items": integer]), "failures": strings,
      ]),
      "required": names(["part", "parts", "plan", "now", "places", "failures"]),
      "additionalProperties": .bool(false),
    ])
  }

  /// A post: any field may be chosen or left out by `--fields`.
  private static var post: JSONValue {
    object(
      PostField.byKey(PostField.printed).flatMap { member in
        let fields = member.fields.map { ("\($0.key)", property(of: $0)) }
        return member.group.map { [("\($0)", object(fields))] } ?? fields
      })
  }

  private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    .members([
      "type": .string("object"), "properties": .object(members.map { JSONMember($0, $1) }),
      "additionalProperties": .bool(false),
    ])
  }

  private static func property(of entry: PostField.Description) -> JSONValue {
    let summary = JSONValue.string(entry.summary)
    switch entry.kind {
    case .string, .integer, .boolean:
      return .members(["description": summary, "type": .string(entry.kind.rawValue)])
    case .date:
      let type: JSONValue =
        if case .created = entry.place { names(["string", "null"]) } else { .string("string") }
      return .members(["description": summary, "type": type, "format": .string("date-time")])
    case .list:
      return .members([
        "description": summary, "type": .string("array"),
        "items": .members(["type": .string("string")]),
      ])
    case .objects:
      return .members([
        "description": summary, "type": .string("array"), "items": reference("attachment"),
      ])
    }
  }

  private static var attachment: JSONValue {
    let string = JSONValue.members(["type": .string("string")])
    return .members([
      "type": .string("object"),
      "properties": .members([
        "url": string,
        "kind": .members(["enum": names(PostAttachment.Kind.allCases.map(\.rawValue))]),
        "type": string, "description": string, "thumbnail": string,
      ]),
      "required": names(["url"]),
      "additionalProperties": .bool(false),
    ])
  }

  private static var outcome: JSONValue {
    let string = JSONValue.members(["type": .string("string")])
    let integer = JSONValue.members(["type": .string("integer")])
    return .members([
      "type": .string("object"),
      "properties": .members([
        "tag": string, "source": string, "server": string,
        "outcome": .members(["enum": names(OutcomeName.allCases.map(\.rawValue))]),
        "status": integer, "message": string, "advice": string,
        "until": .members(["type": .string("string"), "format": .string("date-time")]),
        "broken_items": integer,
        "notes": .members(["type": .string("array"), "items": string]),
        "posts": integer, "pages": integer,
      ]),
      "required": names(["tag", "source", "outcome"]),
      "additionalProperties": .bool(false),
    ])
  }

  private static var alert: JSONValue {
    .members([
      "type": .string("object"),
      "properties": .members([
        "tag": .members(["type": .string("string")]),
        "kind": .members(["enum": names(["silent", "spike"])]),
        "since": .members([
          "description": .string("the newest post of a silent tag, or its first run"),
          "type": .string("string"), "format": .string("date-time"),
        ]),
        "rate": .members([
          "description": .string("the posts of the last hour"), "type": .string("integer"),
        ]),
        "usual": .members([
          "description": .string("the median of this hour on earlier days"),
          "type": .string("number"),
        ]),
      ]),
      "required": names(["tag", "kind"]),
      "additionalProperties": .bool(false),
    ])
  }

  private static func reference(_ name: String) -> JSONValue {
    .members(["$ref": .string("#/$defs/\(name)")])
  }

  private static func names(_ names: [String]) -> JSONValue {
    .array(names.map(JSONValue.string))
  }
}
