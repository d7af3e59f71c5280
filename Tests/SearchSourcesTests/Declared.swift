import SearchModel
import TextFormats

@testable import SearchSources

/// A declared source, from its declaration without the key `kind`.
func declared(_ text: String, name: String = "forum") throws -> JSONNetwork {
  try JSONNetwork(
    .init(rawValue: name),
    reading: try JSONDocument(reading: Array(text.utf8)).root(quotingValues: false))
}

/// A declaration that lacks nothing, with further members or other values.
func forum(_ members: String = "", url: String = "https://forum.example/search?q={query}") throws
  -> JSONNetwork
{
  let more = members.isEmpty ? "" : ", \(members)"
  return try declared(
    #"{"url": "\#(url)", "items": "posts", "fields": {"id": "id", "text": "text"}\#(more)}"#)
}
