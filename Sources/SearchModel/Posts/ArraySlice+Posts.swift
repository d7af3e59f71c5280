internal import CProcessor

extension ArraySlice<Post> {
  /// Calls `body` with each post, where it is.
  ///
  /// - Parameter isAskingAhead: Whether to ask for the memory of the posts that follow: in the order of an output,
  ///   where each is elsewhere, or where their pages were read long ago.
  package func readEach<Fault: Error>(
    askingAhead isAskingAhead: Bool = false, _ body: (PostValues) throws(Fault) -> Void
  ) throws(Fault) {
    try withUnsafeBufferPointer { posts throws(Fault) in
      guard let start = posts.baseAddress else { return }
      for index in posts.indices {
        if isAskingAhead { posts.prefetch(after: index) }
        try body(PostValues(of: start + index))
      }
    }
  }
}

extension UnsafeBufferPointer<Post> {
  /// Asks for the memory of posts that follow one, so that nobody has to wait for it later.
  ///
  /// A record must be there before it can say where its texts are.
  fileprivate func prefetch(after index: Int) {
    guard let start = baseAddress else { return }
    if index + 16 < count {
      let post = PostValues(of: start + (index + 16))
      Self.prefetch(post.place, MemoryLayout<PostRecord>.size)
    }
    if index + 8 < count {
      let post = PostValues(of: start + (index + 8))
      Self.prefetch(post.texts[post.record.text].baseAddress, post.record.text.count)
      Self.prefetch(post.texts[post.record.url].baseAddress, post.record.url.count)
      // Many networks name accounts elsewhere in their pages.
      Self.prefetch(post.texts[post.record.author.handle].baseAddress, 1)
    }
  }

  private static func prefetch(_ memory: UnsafeRawPointer?, _ count: Int) {
    guard let memory else { return }
    // A processor loads the lines that follow these on its own.
    for offset in stride(from: 0, to: Swift.min(count, 320), by: 64) {
      CProcessor.prefetch(memory + offset)
    }
  }
}
