/// Where the body of a response goes.
///
/// Only a body that was asked for (status 200 to 299) goes to a file or a stream. Any other stays in
/// memory, so that it can be read, judged and tried again.
public enum ResponseDestination: Sendable, Hashable {
  /// Into the response.
  case memory
  /// Written beside the path and renamed when it is whole; removed on failure or cancel.
  ///
  /// With `resumes` a part that came is kept beside the path (`.NAME.part`) instead of being
  /// removed, and the next attempt or request asks for the rest of it, if the server said by what
  /// to tell that it is still the same (a strong `ETag` or `Last-Modified`).
  case file(path: String, resumes: Bool = false)
}
